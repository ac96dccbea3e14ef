import type { Clock } from "@pulsewire/runtime";
import type { MetadataStore } from "../../../packages/server/src/metadata/index.ts";
import { sleep } from "../producing.ts";

/** @param delayMs Asked before each call of that name on a key: how long whoever makes it stands still before it does. */
export function lateMetadata(
  session: MetadataStore,
  clock: Clock,
  delayMs: (call: "get" | "put", key: string) => number,
): MetadataStore {
  const late = async (call: "get" | "put", key: string): Promise<void> => {
    const ms = delayMs(call, key);
    if (ms > 0) await sleep(clock, ms);
  };
  const calls: Partial<MetadataStore> = {
    get: async (key) => {
      await late("get", key);
      return session.get(key);
    },
    put: async (key, value, options) => {
      await late("put", key);
      return session.put(key, value, options);
    },
  };
  return new Proxy(session, {
    get: (target, name) => {
      const own = calls[name as "get"] ?? Reflect.get(target, name, target);
      return typeof own === "function" ? own.bind(target) : own;
    },
  });
}
