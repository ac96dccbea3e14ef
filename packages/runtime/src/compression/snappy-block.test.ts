import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { snappyCompress, snappyDecompress } from "./snappy-block.ts";

describe("snappy block", () => {
  it("gives back what it compressed, whatever it is", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 3000 }), fc.nat(200), (bytes, repeat) => {
        const input = new Uint8Array(bytes.length * (1 + (repeat % 40)));
        for (let i = 0; i < input.length; i++) input[i] = bytes[i % bytes.length] as number;
        expect(snappyDecompress(snappyCompress(input), input.length)).toEqual(input);
      }),
    );
  });

  it("gives back large blocks of long literals, long matches and far copies", () => {
    const input = new Uint8Array(300_000);
    let seed = 7;
    for (let i = 0; i < input.length; i++) {
      seed = Math.imul(seed, 1_103_515_245) + 12_345;
      // a third noise, a third zeros, a third a copy of the noise
      input[i] = i < 100_000 ? seed >>> 24 : i < 200_000 ? 0 : (input[i - 60_000] as number);
    }
    const output = snappyDecompress(snappyCompress(input), input.length);
    expect(output.every((byte, i) => byte === input[i])).toBe(true);
  });

  it("makes repetition small", () => {
    expect(snappyCompress(new Uint8Array(100_000)).length).toBeLessThan(6000);
  });

  it("decompresses a block written by hand", () => {
    // length 13; a literal of 5; a copy of 4 with a one-byte offset; a copy of 3 with two; a literal of one
    const block = Uint8Array.of(13, 4 << 2, 1, 2, 3, 4, 5, 1, 5, 2 | (2 << 2), 9, 0, 0, 9);
    expect([...snappyDecompress(block, 13)]).toEqual([1, 2, 3, 4, 5, 1, 2, 3, 4, 1, 2, 3, 9]);
  });

  it("refuses broken blocks and wrong sizes without reading outside", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), fc.nat(2000), (bytes, size) => {
        try {
          expect(snappyDecompress(bytes, size).length).toBe(size);
        } catch (error) {
          expect(error).toBeInstanceOf(RangeError);
        }
      }),
    );
  });

  it("takes no memory for a length that is not the announced one", () => {
    const huge = Uint8Array.of(0xff, 0xff, 0xff, 0xff, 0x0f, 0, 1);
    expect(() => snappyDecompress(huge, 1)).toThrow(RangeError);
  });
});
