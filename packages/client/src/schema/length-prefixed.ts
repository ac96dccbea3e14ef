/** Parts one after the other, each behind its length in four bytes; -1 stands for null. */
export function joinLengthPrefixed(parts: readonly (Uint8Array | null)[]): Uint8Array {
  const size = parts.reduce((sum, part) => sum + 4 + (part?.length ?? 0), 0);
  const bytes = new Uint8Array(size);
  const view = new DataView(bytes.buffer);
  let at = 0;
  for (const part of parts) {
    view.setInt32(at, part === null ? -1 : part.length);
    at += 4;
    if (part === null) continue;
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}

/** Views of the parts. Throws where they are cut off or something is left over. */
export function splitLengthPrefixed(bytes: Uint8Array, count: number): (Uint8Array | null)[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const parts: (Uint8Array | null)[] = [];
  let at = 0;
  for (let i = 0; i < count; i++) {
    if (at + 4 > bytes.length) throw new RangeError("a pair that ends inside a length");
    const length = view.getInt32(at);
    at += 4;
    if (length < -1 || at + length > bytes.length) throw new RangeError(`a part of ${length} bytes that are not there`);
    parts.push(length === -1 ? null : bytes.subarray(at, at + length));
    at += Math.max(0, length);
  }
  if (at !== bytes.length) throw new RangeError(`${bytes.length - at} bytes behind the last part`);
  return parts;
}
