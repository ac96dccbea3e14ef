import { createSeededRandom } from "@pulsewire/runtime";
import { describe, expect, it } from "vitest";
import { ZonePlacement } from "./zone-placement.ts";

const zoneOf = (bookie: string): string => bookie.slice(0, 1);
const available = ["a1", "a2", "a3", "b1", "b2", "b3", "c1", "c2", "c3"];
const none: ReadonlySet<string> = new Set();

describe("zone placement", () => {
  it("puts every write quorum of three in three zones, also when entries are striped over more bookies", () => {
    for (let seed = 0; seed < 50; seed++) {
      const placement = new ZonePlacement(createSeededRandom(seed), zoneOf);
      const ensemble = placement.choose(6, { available, excluded: none, avoided: none });
      expect(new Set(ensemble).size).toBe(6);
      for (let entry = 0; entry < 6; entry++) {
        const quorum = [0, 1, 2].map((k) => ensemble[(entry + k) % 6] as string);
        expect(new Set(quorum.map(zoneOf)).size).toBe(3);
      }
    }
  });

  it("uses every bookie in time", () => {
    const placement = new ZonePlacement(createSeededRandom(1), zoneOf);
    const used = new Set<string>();
    for (let i = 0; i < 100; i++) {
      for (const bookie of placement.choose(3, { available, excluded: none, avoided: none })) used.add(bookie);
    }
    expect(used.size).toBe(9);
  });

  it("replaces a lost bookie from the zone that is missing", () => {
    const placement = new ZonePlacement(createSeededRandom(1), zoneOf);
    const [replacement] = placement.choose(1, { available, excluded: new Set(["a1", "b1"]), avoided: none });
    expect(zoneOf(replacement as string)).toBe("c");
  });

  it("takes what there is when a zone has nothing left, those that did not answer lately last", () => {
    const placement = new ZonePlacement(createSeededRandom(1), zoneOf);
    expect(placement.choose(3, { available: ["a1", "a2", "b1"], excluded: none, avoided: none }).sort()).toEqual([
      "a1",
      "a2",
      "b1",
    ]);
    const [first] = placement.choose(1, { available: ["a1", "b1"], excluded: none, avoided: new Set(["a1"]) });
    expect(first).toBe("b1");
    expect(placement.choose(3, { available: ["a1"], excluded: none, avoided: none })).toEqual(["a1"]);
  });
});
