import type { CompressionName } from "../codec.ts";

export function unsupportedCompression(type: CompressionName): Error {
  return new Error(`compression ${type} is not available here`);
}

export function wrongSize(type: CompressionName, actual: number, expected: number): RangeError {
  return new RangeError(`${type}: ${actual} bytes came out, ${expected} were announced`);
}
