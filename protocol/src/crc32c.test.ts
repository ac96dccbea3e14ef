import { afterEach, describe, expect, it, vi } from "vitest";
import { crc32c } from "./crc32c.ts";
import { createFolder, FOLD_BYTES_MAX, FOLD_FROM_BYTES } from "./crc32c-fold.ts";

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

  it("is the same of large pieces, which are shortened first", () => {
    const all = Uint8Array.from({ length: 2 * FOLD_BYTES_MAX + 100 }, (_, i) => (i * i * 31 + (i >> 5)) & 255);
    const before = crc32c(all, 0, 1000);
    for (const length of [FOLD_FROM_BYTES - 1, FOLD_FROM_BYTES, FOLD_FROM_BYTES + 33, FOLD_BYTES_MAX, all.length - 1]) {
      expect(crc32c(all, 1, 1 + length)).toBe(bitwise(all.subarray(1, 1 + length)));
    }
    expect(crc32c(all, 1000, all.length, before)).toBe(bitwise(all));
  });
});

describe("shortening", () => {
  afterEach(() => void vi.unstubAllGlobals());

  it("is there on this platform", () => {
    expect(createFolder()?.memory.length).toBe(FOLD_BYTES_MAX);
  });

  it("is not where there is no WebAssembly, or compiling is forbidden", () => {
    vi.stubGlobal("WebAssembly", undefined);
    expect(createFolder()).toBeUndefined();
    const forbidden = class {
      constructor() {
        throw new Error("unsafe-eval is not allowed");
      }
    };
    vi.stubGlobal("WebAssembly", { Module: forbidden });
    expect(createFolder()).toBeUndefined();
  });
});
