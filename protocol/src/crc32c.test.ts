import { describe, expect, it } from "vitest";
import { crc32c } from "./crc32c.ts";

/** One bit at a time, as the definition has it. */
function bitwise(bytes: Uint8Array): number {
  let c = ~0;
  for (const byte of bytes) {
    c ^= byte;
    for (let k = 0; k < 8; k++) c = c & 1 ? (c >>> 1) ^ 0x82f63b78 : c >>> 1;
  }
  return ~c >>> 0;
}

describe("CRC-32C", () => {
  it("has the values of RFC 3720", () => {
    expect(crc32c(new Uint8Array(32))).toBe(0x8a9136aa);
    expect(crc32c(new Uint8Array(32).fill(255))).toBe(0x62a8ab43);
    expect(crc32c(Uint8Array.from({ length: 32 }, (_, i) => i))).toBe(0x46dd794e);
    expect(crc32c(new TextEncoder().encode("123456789"))).toBe(0xe3069283);
  });

  it("is the same at every offset and of every length, in one piece or two", () => {
    const all = Uint8Array.from({ length: 400 }, (_, i) => (i * 31 + (i >> 3)) & 255);
    for (let start = 0; start < 9; start++) {
      for (let end = start; end <= all.length; end += 7) {
        const expected = bitwise(all.subarray(start, end));
        expect(crc32c(all, start, end)).toBe(expected);
        expect(crc32c(all.subarray(start), 0, end - start)).toBe(expected);
        const middle = start + ((end - start) >> 1);
        expect(crc32c(all, middle, end, crc32c(all, start, middle))).toBe(expected);
      }
    }
  });
});
