import type { NodeId, Random } from "@pulsewire/runtime";

/** Bookies to choose from. */
export interface PlacementInput {
  available: readonly NodeId[];
  /** Not to be chosen in any case. */
  excluded: ReadonlySet<NodeId>;
  /** Qw: how many neighbours of the ensemble, taken as a ring, hold an entry. */
  writeQuorum: number;
}

/** The places of an ensemble in order; undefined where a bookie is to be found. */
export type Places = readonly (NodeId | undefined)[];

/** Decides which bookies an ensemble is made of. */
export interface PlacementPolicy {
  /** Has to be awaited before a choice: what the policy knows of bookies is up to date then. Rejects with a MetadataError. */
  refresh?(): Promise<void>;
  /** The ensemble with a bookie in every place; those that stand stay. Undefined when there are not enough that fit. */
  fill(places: Places, input: PlacementInput): NodeId[] | undefined;
  /** What has to hold beside the number of bookies, and which zones there are, for the message when it does not. */
  constraint?(places: Places, input: PlacementInput): string;
}

/** Any bookies, at random. */
export class RandomPlacement implements PlacementPolicy {
  readonly #random: Random;

  constructor(random: Random) {
    this.#random = random;
  }

  fill(places: Places, input: PlacementInput): NodeId[] | undefined {
    const candidates = shuffled(candidatesOf(places, input), this.#random);
    const filled: NodeId[] = [];
    for (const place of places) {
      const bookie = place ?? candidates.pop();
      if (bookie === undefined) return undefined;
      filled.push(bookie);
    }
    return filled;
  }
}

/** Who can be chosen: available, not excluded, and not in the ensemble already. */
export function candidatesOf(places: Places, { available, excluded }: PlacementInput): NodeId[] {
  return available.filter((bookie) => !excluded.has(bookie) && !places.includes(bookie));
}

/** In place. */
export function shuffled<T>(items: T[], random: Random): T[] {
  for (let i = items.length - 1; i > 0; i--) {
    const j = random.integer(i + 1);
    [items[i], items[j]] = [items[j] as T, items[i] as T];
  }
  return items;
}
