import fc from "fast-check";
import { expect, test } from "vitest";
import { EntryBitset } from "./entry-bitset.ts";

const runsOf = (bits: EntryBitset): number[][] => {
  const runs: number[][] = [];
  bits.forEachRun((first, last) => {
    runs.push([first, last]);
    return true;
  });
  return runs;
};

test("it behaves as a set of numbers does", () => {
  const id = fc.oneof(fc.integer({ min: 0, max: 70 }), fc.integer({ min: 8_150, max: 8_230 }), fc.nat(40_000));
  const step = fc.oneof(
    fc.record({ kind: fc.constant("add"), at: id, length: fc.constant(1) }),
    fc.record({ kind: fc.constant("range"), at: id, length: fc.nat(200) }),
    fc.record({ kind: fc.constant("clear"), at: id, length: fc.constant(0) }),
  );
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
      const bits = new EntryBitset();
      const model = new Set<number>();
      for (const { kind, at, length } of steps) {
        if (kind === "clear") {
          bits.clearBelow(at);
          for (const n of model) if (n < at) model.delete(n);
        } else if (kind === "add") {
          expect(bits.add(at)).toBe(!model.has(at));
          model.add(at);
        } else {
          bits.addRange(at, at + length - 1);
          for (let n = at; n < at + length; n++) model.add(n);
        }
        let absent = at;
        while (model.has(absent)) absent++;
        expect(bits.nextAbsent(at)).toBe(absent);
        expect(bits.has(at)).toBe(model.has(at));
      }
      expect(bits.count).toBe(model.size);
      const listed = runsOf(bits).flatMap(([a, b]) =>
        Array.from({ length: (b ?? 0) - (a ?? 0) + 1 }, (_, i) => (a ?? 0) + i),
      );
      expect(listed).toEqual([...model].sort((a, b) => a - b));
      const runs = runsOf(bits);
      for (let i = 1; i < runs.length; i++) expect(runs[i]?.[0]).toBeGreaterThan((runs[i - 1]?.[1] ?? 0) + 1);
    }),
  );
});

test("runs go on over the edges of chunks", () => {
  const bits = new EntryBitset();
  bits.addRange(8_000, 25_000);
  expect(runsOf(bits)).toEqual([[8_000, 25_000]]);
  expect(bits.nextAbsent(8_000)).toBe(25_001);
});
