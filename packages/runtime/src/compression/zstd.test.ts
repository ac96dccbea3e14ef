import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createZstd } from "../node/node-zstd.ts";
import { ZstdEncoder } from "./zstd-encoder.ts";
import { zstdDecompress } from "./zstd-frame.ts";

const text = (s: string): Uint8Array => new TextEncoder().encode(s);
const repeated = text("the quick brown fox ".repeat(500));
const compressed = await new ZstdEncoder().compress(repeated);

describe("zstd", () => {
  it("answers later while it loads, and at once from then on", async () => {
    const encoder = new ZstdEncoder();
    const first = encoder.compress(repeated);
    expect(first).toBeInstanceOf(Promise);
    expect(zstdDecompress(await first, repeated.length)).toEqual(repeated);
    const second = encoder.compress(repeated);
    expect(second).toBeInstanceOf(Uint8Array);
    expect((second as Uint8Array).length).toBeLessThan(200);
  });

  it("gives back what it compressed, whatever it is", async () => {
    const encoder = new ZstdEncoder();
    await encoder.compress(repeated);
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 2000 }), fc.nat(30), (bytes, repeat) => {
        const input = new Uint8Array(bytes.length * (1 + repeat));
        for (let i = 0; i < input.length; i++) input[i] = bytes[i % bytes.length] as number;
        expect(zstdDecompress(encoder.compress(input) as Uint8Array, input.length)).toEqual(input);
      }),
      { numRuns: 30 },
    );
  });

  it("decompresses a frame written by hand that does not tell its size", () => {
    // no single segment, no content size; a window of 1 KiB; one last raw block of 3 bytes
    const frame = Uint8Array.of(0x28, 0xb5, 0x2f, 0xfd, 0x00, 0x00, 0x19, 0x00, 0x00, 1, 2, 3);
    expect([...zstdDecompress(frame, 3)]).toEqual([1, 2, 3]);
    expect(() => zstdDecompress(frame, 4)).toThrow(RangeError);
    expect(() => zstdDecompress(frame, 2)).toThrow(RangeError);
  });

  it("refuses a frame that says to hold something else than was announced, before it takes memory", () => {
    // a single segment of 2^40 bytes
    const frame = Uint8Array.of(0x28, 0xb5, 0x2f, 0xfd, 0xe0, 0, 0, 0, 0, 0, 1, 0, 0, 1, 0, 0);
    expect(() => zstdDecompress(frame, 10)).toThrow("announced");
    expect(() => zstdDecompress(compressed, repeated.length + 1)).toThrow(RangeError);
  });

  it("refuses a window that is larger than decoders have to take", () => {
    const frame = Uint8Array.of(0x28, 0xb5, 0x2f, 0xfd, 0x00, 0xf8, 0x19, 0x00, 0x00, 1, 2, 3);
    expect(() => zstdDecompress(frame, 3)).toThrow("window");
  });

  it("stops a run of repeated bytes at the announced size", () => {
    // a repeated byte of 2 MiB in a frame that does not tell its size
    const frame = Uint8Array.of(0x28, 0xb5, 0x2f, 0xfd, 0x00, 0x00, 0x03, 0x00, 0xff, 7);
    expect(() => zstdDecompress(frame, 100)).toThrow(RangeError);
  });

  it("refuses whatever is broken", () => {
    fc.assert(
      fc.property(fc.nat(compressed.length - 1), fc.integer({ min: 1, max: 255 }), fc.boolean(), (at, bit, cut) => {
        const broken = cut ? compressed.slice(0, at) : compressed.slice();
        if (!cut) broken[at] = (broken[at] as number) ^ bit;
        try {
          expect(zstdDecompress(broken, repeated.length).length).toBe(repeated.length);
        } catch (error) {
          expect(error).toBeInstanceOf(Error);
        }
      }),
    );
    expect(() => zstdDecompress(new Uint8Array(0), 5)).toThrow(RangeError);
    expect(() => zstdDecompress(compressed.subarray(0, compressed.length - 6), repeated.length)).toThrow();
  });

  it("is the platform's own where it has one", () => {
    const platform = {
      zstdCompressSync: () => Uint8Array.of(42),
      zstdDecompressSync: () => repeated.slice(),
    };
    const zstd = createZstd(platform);
    expect(zstd.compress(repeated)).toEqual(Uint8Array.of(42));
    expect(zstd.decompress(compressed, repeated.length)).toEqual(repeated);
    expect(() => zstd.decompress(compressed, 7)).toThrow(RangeError);
  });
});
