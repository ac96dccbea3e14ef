import { createNodeClientRuntime } from "@pulsewire/runtime/node";
import { CompatClient } from "./client.ts";
import type { ClientConfig } from "./config.ts";

/**
 * A client with the API of the official Node client, `pulsar-client` on npm.
 *
 * @example
 * import Pulsar from "@pulsewire/client/compat";
 * const client = new Pulsar.Client({ serviceUrl: "pulsar://localhost:6650" });
 */
export class Client extends CompatClient {
  /** Throws an Error for a wrong option. Connects when something is first asked of it. */
  constructor(config: ClientConfig) {
    super(config, createNodeClientRuntime());
  }
}
