import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { lz4Compress, lz4Decompress } from "./lz4-block.ts";

describe("lz4 block", () => {
  it("gives back what it compressed, whatever it is", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 5000 }), fc.nat(200), (bytes, repeat) => {
        const input = new Uint8Array(bytes.length * (1 + (repeat % 7)));
        for (let i = 0; i < input.length; i++) input[i] = bytes[i % bytes.length] as number;
        expect(lz4Decompress(lz4Compress(input), input.length)).toEqual(input);
      }),
    );
  });

  it("makes repetition small", () => {
    expect(lz4Compress(new Uint8Array(100_000)).length).toBeLessThan(500);
  });

  it("decompresses a block written by hand", () => {
    // token 0x50: five literals and a match of 4; offset 5; then the five last literals
    const block = Uint8Array.of(0x50, 1, 2, 3, 4, 5, 5, 0, 0x50, 9, 9, 9, 9, 9);
    expect([...lz4Decompress(block, 14)]).toEqual([1, 2, 3, 4, 5, 1, 2, 3, 4, 9, 9, 9, 9, 9]);
  });

  it("refuses broken blocks and wrong sizes without reading outside", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), fc.nat(2000), (bytes, size) => {
        try {
          expect(lz4Decompress(bytes, size).length).toBe(size);
        } catch (error) {
          expect(error).toBeInstanceOf(RangeError);
        }
      }),
    );
  });
});
