import { createSeededRandom } from "@pulsewire/runtime";
import { describe, expect, it } from "vitest";
import type { PlacementInput, Places } from "./placement.ts";
import { RackPlacement, type RackPlacementOptions } from "./rack-placement.ts";

const rackOf = (bookie: string): string => `/${bookie.slice(0, -1)}`;
const ABC = ["a1", "a2", "a3", "b1", "b2", "b3", "c1", "c2", "c3"];
/** `east/r` and a number: racks of a region. */
const REGIONS = ["east/r1", "east/r2", "east/s1", "west/r1", "west/r2", "west/s1"];

const placement = (options: Partial<RackPlacementOptions> = {}, seed = 1): RackPlacement =>
  new RackPlacement({ random: createSeededRandom(seed), racks: { rackOf }, ...options });
const of = (available: string[], writeQuorum: number, excluded: string[] = []): PlacementInput => ({
  available,
  excluded: new Set(excluded),
  writeQuorum,
});
const empty = (size: number): Places => new Array<undefined>(size).fill(undefined);
const rows = (ensemble: readonly string[], writeQuorum: number): string[][] =>
  ensemble.map((_, i) => Array.from({ length: writeQuorum }, (_, k) => ensemble[(i + k) % ensemble.length] as string));

describe("placement by racks", () => {
  it("puts every write quorum of three in three racks, also when entries are striped over more bookies", () => {
    for (let seed = 0; seed < 50; seed++) {
      const ensemble = placement({}, seed).fill(empty(6), of(ABC, 3)) ?? [];
      expect(new Set(ensemble).size).toBe(6);
      for (const row of rows(ensemble, 3)) expect(new Set(row.map(rackOf)).size).toBe(3);
    }
  });

  it("keeps two racks in every write quorum where the ring does not divide by the racks", () => {
    for (let seed = 0; seed < 50; seed++) {
      const ensemble =
        placement({ enforced: true }, seed).fill(empty(5), of(["a1", "a2", "a3", "b1", "b2", "b3"], 3)) ?? [];
      expect(ensemble).toHaveLength(5);
      for (const row of rows(ensemble, 3)) expect(new Set(row.map(rackOf)).size).toBe(2);
    }
  });

  it("uses every bookie in time", () => {
    const policy = placement();
    const used = new Set<string>();
    for (let i = 0; i < 100; i++) for (const bookie of policy.fill(empty(3), of(ABC, 3)) ?? []) used.add(bookie);
    expect(used.size).toBe(9);
  });

  it("replaces a lost bookie from the rack that is missing, at the place of the lost one", () => {
    const replaced = placement().fill(["a1", undefined, "b1"], of(ABC, 3, ["c1"]));
    expect(replaced?.[0]).toBe("a1");
    expect(replaced?.[1]).toMatch(/^c[23]$/);
    expect(replaced?.[2]).toBe("b1");
  });

  it("takes what there is when a rack has nothing left", () => {
    expect(
      placement()
        .fill(empty(3), of(["a1", "a2", "b1"], 3))
        ?.sort(),
    ).toEqual(["a1", "a2", "b1"]);
    expect(
      placement()
        .fill(empty(3), of(["a1", "a2", "a3"], 3))
        ?.sort(),
    ).toEqual(["a1", "a2", "a3"]);
    expect(placement().fill(empty(3), of(["a1", "a2"], 3))).toBeUndefined();
  });

  it("rather finds nothing than copies in one rack, where the minimum is enforced", () => {
    const policy = placement({ enforced: true });
    expect(policy.fill(empty(3), of(["a1", "a2", "a3"], 3))).toBeUndefined();
    expect(policy.fill(["a1", undefined], of(["a2", "a3"], 2))).toBeUndefined();
    expect(policy.fill(["a1", undefined], of(["a2", "b1"], 2))).toEqual(["a1", "b1"]);
    expect(policy.constraint(["a1", undefined], of(["a2", "a3", "b1"], 2, ["b1", "a3"]))).toBe(
      "each entry in 2 racks, usable by rack: /a 1 of 2, /b 0 of 1, to join /a",
    );
  });

  it("goes back on its choice where the best rack of one place leaves none for another", () => {
    const policy = placement({ enforced: true, minRacks: 3 });
    // b is needed in the middle: c first would leave a row of two racks
    expect(
      policy.fill(["a1", undefined, undefined, "a2", undefined, undefined], of(["b1", "b2", "c1", "c2"], 3)),
    ).toBeDefined();
  });
});

describe("placement by regions", () => {
  it("puts copies in different regions first, and in different racks of a region then", () => {
    for (let seed = 0; seed < 50; seed++) {
      const ensemble = placement({ regionAware: true, enforced: true }, seed).fill(empty(4), of(REGIONS, 4)) ?? [];
      const regions = ensemble.map((bookie) => bookie.slice(0, 4));
      expect(regions.filter((region) => region === "east")).toHaveLength(2);
      expect(new Set(ensemble.map(rackOf)).size).toBe(4);
    }
  });

  it("replaces within the lost region as long as it has a bookie, and says what it lacks otherwise", () => {
    const policy = placement({ regionAware: true, enforced: true });
    expect(policy.fill(["east/r1", undefined], of(REGIONS, 2, ["west/r1"]))?.[1]).toMatch(/^west/);
    const input = of(["east/r1", "east/s1", "west/r1"], 2, ["west/r1"]);
    expect(policy.fill(["east/r1", undefined], input)).toBeUndefined();
    expect(policy.constraint(["east/r1", undefined], input)).toContain("2 racks of 2 regions");
    expect(placement({ regionAware: true }).fill(["east/r1", undefined], input)).toEqual(["east/r1", "east/s1"]);
  });
});
