import type { ServerRuntime } from "@pulsewire/runtime";
import { createNodeRuntime, drainMicrotasks } from "@pulsewire/runtime/node";

/** The platform a test runs on. The build of the kit for pages puts another in its place. */
export function platformRuntime(): ServerRuntime {
  return createNodeRuntime();
}

export { drainMicrotasks };
