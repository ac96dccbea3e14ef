/** A bookie's place in the network as `/region/rack` or `/rack`; the first name is the region where regions count. */
export type Rack = string;

export interface SpreadRule {
  writeQuorum: number;
  /** Racks each write quorum has to stand in. */
  minRacks: number;
  /** Regions each write quorum has to stand in; 1 where regions do not count. */
  minRegions: number;
}

/** The first name of a rack's path. */
export function regionOf(rack: Rack): string {
  return rack.split("/").find((name) => name !== "") ?? "";
}

/** A search that finds nothing in so many steps is given up: the spread that is wanted is hardly to be had. */
const STEPS_MAX = 10_000;

/**
 * Gives each empty place of an ensemble a rack, so that any row of `writeQuorum` neighbours on the ring stands in as
 * many racks (and regions) as the rule says, and in as many as can be. Goes place by place, the best rack first, and
 * back where that leads nowhere.
 */
export class RackAssignment {
  readonly #places: (Rack | undefined)[];
  readonly #rule: SpreadRule;
  readonly #left: Map<Rack, number>;
  readonly #order: readonly Rack[];
  readonly #empty: number[];
  #steps = 0;

  /** @param left Bookies that can be chosen, by rack, in the order in which equal racks are tried. */
  constructor(places: readonly (Rack | undefined)[], left: ReadonlyMap<Rack, number>, rule: SpreadRule) {
    this.#places = [...places];
    this.#left = new Map(left);
    this.#order = [...left.keys()];
    this.#rule = rule;
    this.#empty = [...places.keys()].filter((i) => places[i] === undefined);
  }

  /** The racks of all places; undefined when the rule cannot be kept. */
  find(): Rack[] | undefined {
    return this.#fillFrom(0) ? (this.#places as Rack[]) : undefined;
  }

  #fillFrom(index: number): boolean {
    const place = this.#empty[index];
    if (place === undefined) return true;
    for (const rack of this.#bestFirst(place)) {
      if (++this.#steps > STEPS_MAX) return false;
      this.#put(place, rack);
      if (this.#canHold(place) && this.#fillFrom(index + 1)) return true;
      this.#take(place, rack);
    }
    return false;
  }

  #put(place: number, rack: Rack): void {
    this.#places[place] = rack;
    this.#left.set(rack, (this.#left.get(rack) ?? 0) - 1);
  }

  #take(place: number, rack: Rack): void {
    this.#places[place] = undefined;
    this.#left.set(rack, (this.#left.get(rack) ?? 0) + 1);
  }

  #bestFirst(place: number): Rack[] {
    const neighbours = this.#neighboursOf(place);
    const scored = this.#order
      .filter((rack) => (this.#left.get(rack) ?? 0) > 0)
      .map((rack) => ({ rack, crowd: this.#crowdOf(rack, neighbours), all: this.#crowdOf(rack, this.#places) }));
    scored.sort((a, b) => a.crowd - b.crowd || a.all - b.all);
    return scored.map(({ rack }) => rack);
  }

  /** How many of some racks are this one; those of its region count too, and for more, where regions count. */
  #crowdOf(rack: Rack, among: readonly (Rack | undefined)[]): number {
    let crowd = 0;
    for (const other of among) {
      if (other === rack) crowd++;
      if (other !== undefined && this.#rule.minRegions > 1 && regionOf(other) === regionOf(rack)) crowd += among.length;
    }
    return crowd;
  }

  #neighboursOf(place: number): Rack[] {
    const size = this.#places.length;
    const reach = Math.min(this.#rule.writeQuorum - 1, size - 1);
    const neighbours = new Set<number>();
    for (let d = 1; d <= reach; d++) {
      neighbours.add((place + d) % size);
      neighbours.add((place - d + size) % size);
    }
    neighbours.delete(place);
    return [...neighbours].flatMap((i) => this.#places[i] ?? []);
  }

  /** Whether each row that a place is in holds to the rule, or still can with its empty places. */
  #canHold(place: number): boolean {
    const size = this.#places.length;
    const { writeQuorum, minRacks, minRegions } = this.#rule;
    for (let d = 0; d < writeQuorum; d++) {
      const racks = new Set<Rack>();
      const regions = new Set<string>();
      let empty = 0;
      for (let k = 0; k < writeQuorum; k++) {
        const rack = this.#places[(place - d + k + size) % size];
        if (rack === undefined) empty++;
        else {
          racks.add(rack);
          regions.add(regionOf(rack));
        }
      }
      if (racks.size + empty < minRacks || regions.size + empty < minRegions) return false;
    }
    return true;
  }
}
