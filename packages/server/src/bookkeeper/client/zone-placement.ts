import type { NodeId, Random } from "@pulsewire/runtime";
import type { PlacementInput, PlacementPolicy } from "./placement.ts";

/**
 * Spreads an ensemble over zones: its members take turns among the zones, so that any row of members (a write quorum
 * is one) stands in as many zones as can be. Where a zone has no bookie left, another one gives a second: data with
 * fewer zones is better than none.
 */
export class ZonePlacement implements PlacementPolicy {
  readonly #random: Random;
  readonly #zoneOf: (bookie: NodeId) => string;

  constructor(random: Random, zoneOf: (bookie: NodeId) => string) {
    this.#random = random;
    this.#zoneOf = zoneOf;
  }

  choose(count: number, { available, excluded, avoided }: PlacementInput): NodeId[] {
    const candidates = available.filter((bookie) => !excluded.has(bookie));
    // a replacement goes where fewest of those it joins are
    const crowd = new Map<string, number>();
    for (const bookie of excluded) crowd.set(this.#zoneOf(bookie), (crowd.get(this.#zoneOf(bookie)) ?? 0) + 1);
    const good = this.#inTurns(
      candidates.filter((bookie) => !avoided.has(bookie)),
      crowd,
    );
    const rest = this.#inTurns(
      candidates.filter((bookie) => avoided.has(bookie)),
      crowd,
    );
    return [...good, ...rest].slice(0, count);
  }

  #inTurns(bookies: readonly NodeId[], crowd: ReadonlyMap<string, number>): NodeId[] {
    const zones = new Map<string, { bookie: NodeId; at: number }[]>();
    for (const bookie of bookies) {
      const zone = this.#zoneOf(bookie);
      const members = zones.get(zone) ?? [];
      members.push({ bookie, at: this.#random.float() });
      zones.set(zone, members);
    }
    const order = [...zones]
      .map(([zone, members]) => ({ members, crowd: crowd.get(zone) ?? 0, at: this.#random.float() }))
      .sort((a, b) => a.crowd - b.crowd || a.at - b.at);
    for (const { members } of order) members.sort((a, b) => a.at - b.at);
    const rounds = Math.max(0, ...order.map(({ members }) => members.length));
    const chosen: NodeId[] = [];
    for (let round = 0; round < rounds; round++) {
      for (const { members } of order) {
        const member = members[round];
        if (member !== undefined) chosen.push(member.bookie);
      }
    }
    return chosen;
  }
}
