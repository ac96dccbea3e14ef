import type { NodeId, Random } from "@pulsewire/runtime";
import { candidatesOf, type PlacementInput, type PlacementPolicy, type Places, shuffled } from "./placement.ts";
import { type Rack, RackAssignment, regionOf, type SpreadRule } from "./rack-assignment.ts";

/** Where bookies stand. */
export interface BookieRackSource {
  /** Rejects with a MetadataError. */
  refresh?(): Promise<void>;
  rackOf(bookie: NodeId): Rack;
}

export interface RackPlacementOptions {
  random: Random;
  racks: BookieRackSource;
  /** The first name of a rack is its region, and copies go to different regions first. Default false. */
  regionAware?: boolean;
  /** `bookkeeperClientMinNumRacksPerWriteQuorum`. Default 2. */
  minRacks?: number;
  /** `bookkeeperClientEnforceMinNumRacksPerWriteQuorum`: rather no ensemble than one in fewer racks. Default false. */
  enforced?: boolean;
}

/** Regions that copies of an entry stand in, at least, where regions count: `reppMinimumRegionsForDurability`. */
const MIN_REGIONS = 2;

/**
 * Spreads an ensemble over racks, or over regions and their racks: any row of members that holds an entry stands in as
 * many as can be. Fewer than the minimum are taken where there are no others, unless the minimum is enforced.
 */
export class RackPlacement implements PlacementPolicy {
  readonly #options: Required<RackPlacementOptions>;

  constructor(options: RackPlacementOptions) {
    this.#options = { regionAware: false, minRacks: 2, enforced: false, ...options };
  }

  async refresh(): Promise<void> {
    await this.#options.racks.refresh?.();
  }

  fill(places: Places, input: PlacementInput): NodeId[] | undefined {
    const { random, racks } = this.#options;
    const byRack = this.#byRack(shuffled(candidatesOf(places, input), random));
    const standing = places.map((bookie) => (bookie === undefined ? undefined : racks.rackOf(bookie)));
    const left = new Map([...byRack].map(([rack, bookies]) => [rack, bookies.length]));
    for (const rule of this.#rules(input)) {
      const assigned = new RackAssignment(standing, left, rule).find();
      if (assigned !== undefined) return places.map((bookie, i) => bookie ?? take(byRack, assigned[i] as Rack));
    }
    return undefined;
  }

  constraint(places: Places, input: PlacementInput): string {
    const { enforced, racks, regionAware } = this.#options;
    const usable = this.#byRack(candidatesOf(places, input));
    const all = this.#byRack(input.available);
    const counts = [...all].map(([rack, bookies]) => `${rack} ${usable.get(rack)?.length ?? 0} of ${bookies.length}`);
    const standing = places.flatMap((bookie) => (bookie === undefined ? [] : racks.rackOf(bookie)));
    const joins = standing.length === 0 ? "" : `, to join ${standing.join(", ")}`;
    const { minRacks, minRegions } = this.#rule(input.writeQuorum);
    const spread = regionAware ? `${minRacks} racks of ${minRegions} regions` : `${minRacks} racks`;
    const wanted = enforced ? `each entry in ${spread}, ` : "";
    return `${wanted}usable by rack: ${counts.sort().join(", ") || "none"}${joins}`;
  }

  /** What is tried, one after the other. */
  #rules(input: PlacementInput): SpreadRule[] {
    const rule = this.#rule(input.writeQuorum);
    if (this.#options.enforced) return [rule];
    // a spread over as many as can be, then over as many as have to be, then over what there is
    const { writeQuorum } = rule;
    const widest = { ...rule, minRacks: Math.max(rule.minRacks, Math.min(writeQuorum, this.#racksOf(input))) };
    return [widest, rule, { ...rule, minRacks: 1 }, { writeQuorum, minRacks: 1, minRegions: 1 }];
  }

  #rule(writeQuorum: number): SpreadRule {
    const { minRacks, regionAware } = this.#options;
    const minRegions = regionAware ? Math.min(MIN_REGIONS, writeQuorum) : 1;
    return { writeQuorum, minRacks: Math.min(minRacks, writeQuorum), minRegions };
  }

  #racksOf({ available }: PlacementInput): number {
    return new Set(available.map((bookie) => this.#options.racks.rackOf(bookie))).size;
  }

  #byRack(bookies: readonly NodeId[]): Map<Rack, NodeId[]> {
    const byRack = new Map<Rack, NodeId[]>();
    for (const bookie of bookies) {
      const rack = this.#options.racks.rackOf(bookie);
      const members = byRack.get(rack);
      if (members === undefined) byRack.set(rack, [bookie]);
      else members.push(bookie);
    }
    return byRack;
  }
}

function take(byRack: ReadonlyMap<Rack, NodeId[]>, rack: Rack): NodeId {
  const bookie = byRack.get(rack)?.pop();
  if (bookie === undefined)
    throw new Error(`rack ${rack} (region ${regionOf(rack)}) was given more places than bookies`);
  return bookie;
}
