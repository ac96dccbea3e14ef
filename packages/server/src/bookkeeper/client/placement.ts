import type { NodeId, Random } from "@pulsewire/runtime";

/** Bookies to choose from. */
export interface PlacementInput {
  available: readonly NodeId[];
  /** Not to be chosen in any case. */
  excluded: ReadonlySet<NodeId>;
  /** Chosen only when the others are too few. */
  avoided: ReadonlySet<NodeId>;
}

/** Decides which bookies an ensemble is made of. */
export interface PlacementPolicy {
  /** `count` bookies in the order of the ensemble; fewer when there are not enough. */
  choose(count: number, input: PlacementInput): NodeId[];
}

/** Any bookies, at random. */
export class RandomPlacement implements PlacementPolicy {
  readonly #random: Random;

  constructor(random: Random) {
    this.#random = random;
  }

  choose(count: number, { available, excluded, avoided }: PlacementInput): NodeId[] {
    const candidates = available.filter((bookie) => !excluded.has(bookie));
    const good = this.#shuffled(candidates.filter((bookie) => !avoided.has(bookie)));
    const rest = this.#shuffled(candidates.filter((bookie) => avoided.has(bookie)));
    return [...good, ...rest].slice(0, count);
  }

  #shuffled(bookies: NodeId[]): NodeId[] {
    for (let i = bookies.length - 1; i > 0; i--) {
      const j = this.#random.integer(i + 1);
      [bookies[i], bookies[j]] = [bookies[j] as NodeId, bookies[i] as NodeId];
    }
    return bookies;
  }
}
