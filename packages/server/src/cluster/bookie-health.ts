import type { BookieHealth } from "../bookkeeper/index.ts";
import type { BookieNode, UnstartedBookie } from "./storage-nodes.ts";

/** Of every bookie there is, by id. */
export function bookieHealth(
  nodes: readonly BookieNode[],
  unstarted: readonly UnstartedBookie[],
): readonly BookieHealth[] {
  const started = nodes.map(({ id, bookie, folder }) => ({
    id,
    error: undefined,
    damagedFiles: folder?.damagedFiles ?? [],
    doubtfulLedgers: [...bookie.storage.doubtfulIds()].sort((a, b) => a - b),
  }));
  const others = unstarted.map(({ id, error }) => ({
    id,
    error: error.message,
    damagedFiles: [],
    doubtfulLedgers: [],
  }));
  return [...started, ...others].sort((a, b) => (a.id < b.id ? -1 : 1));
}
