import { murmur3Hash, partitionIndexOf } from "@pulsewire/protocol";

/** Points each consumer has on the ring; Pulsar's number, on which the choice depends. */
const POINTS = 100;

export interface ActiveCandidate {
  readonly options: { consumerName: string; priorityLevel: number };
}

/**
 * The one of a Failover subscription's consumers that is active, as Pulsar chooses it: among those of the best priority,
 * ordered by name, the partitions of a topic are spread in turn; any other topic looks its own name up on a ring of the
 * consumers' names. So it depends on who is there, and not on who came first.
 */
export function chooseActive<C extends ActiveCandidate>(consumers: readonly C[], topicName: string): C | undefined {
  const best = Math.min(...consumers.map((c) => c.options.priorityLevel));
  const candidates = consumers.filter((c) => c.options.priorityLevel === best);
  candidates.sort((a, b) => compareText(a.options.consumerName, b.options.consumerName));
  if (candidates.length < 2) return candidates[0];
  const partitionIndex = partitionIndexOf(topicName);
  if (partitionIndex >= 0) return candidates[partitionIndex % candidates.length];
  return onRing(candidates, murmur3Hash(topicName));
}

/** Whose point is the first at or after a hash, round the ring. */
function onRing<C extends ActiveCandidate>(candidates: readonly C[], hash: number): C | undefined {
  let next: C | undefined;
  let nextPoint = Number.POSITIVE_INFINITY;
  let first: C | undefined;
  let firstPoint = Number.POSITIVE_INFINITY;
  for (const candidate of candidates) {
    for (let i = 0; i < POINTS; i++) {
      const point = murmur3Hash(candidate.options.consumerName + i);
      if (point >= hash && point <= nextPoint) [next, nextPoint] = [candidate, point];
      if (point <= firstPoint) [first, firstPoint] = [candidate, point];
    }
  }
  return next ?? first;
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
