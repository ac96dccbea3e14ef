import type { Clock } from "@pulsewire/runtime";
import { MetadataError, type MetadataStore } from "../../metadata/metadata-store.ts";
import type { FaultLinks } from "./fault-links.ts";
import type { NodeGate } from "./node-gate.ts";

/** What the metadata store is called among the nodes. */
export const METADATA_NODE = "metadata";

/**
 * The way of one process of a node to the metadata store: its calls wait while it stands still, take longer over a slow
 * link, and fail over one that is cut.
 * @param clock One that goes on when the node does not.
 */
export function gatedMetadata(
  session: MetadataStore,
  { gate, links, clock }: { gate: NodeGate; links: FaultLinks; clock: Clock },
): MetadataStore {
  const late = async (): Promise<void> => {
    if (links.clear) return;
    const delayMs = links.extraDelayMs(gate.node, METADATA_NODE);
    if (delayMs > 0) await new Promise<void>((resolve) => clock.setTimer(delayMs, resolve));
    if (links.isBlocked(gate.node, METADATA_NODE)) {
      throw new MetadataError("Unavailable", `${gate.node} cannot reach the metadata store`);
    }
  };
  const call = async <T>(work: () => Promise<T>): Promise<T> => {
    if (!gate.open) await gate.passed();
    if (!links.clear) await late();
    try {
      return await work();
    } finally {
      // the answer waits for a node that stands still; one that is dead never gets it
      if (!gate.open) await gate.passed();
    }
  };
  return {
    get sessionId() {
      return session.sessionId;
    },
    get: (key) => call(() => session.get(key)),
    exists: (key) => call(() => session.exists(key)),
    put: (key, value, options) => call(() => session.put(key, value, options)),
    delete: (key, expectedVersion) => call(() => session.delete(key, expectedVersion)),
    children: (key) => call(() => session.children(key)),
    nextSequence: (key) => call(() => session.nextSequence(key)),
    watch: (prefix, listener) => session.watch(prefix, (event) => gate.pass(() => listener(event))),
    onSessionExpired: (listener) => session.onSessionExpired(() => gate.pass(listener)),
    close: () => session.close(),
  };
}
