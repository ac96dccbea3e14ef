import { crc32c } from "@pulsewire/protocol";

const utf8 = new TextEncoder();

/**
 * A checksum over everything that a store holds, kept up with each change and stored along with it. What a database hands
 * out after it lost or changed some of it has another.
 */
export class LevelDigest {
  readonly #sums = new Map<string, number>();
  #sum = 0;

  /** @param bytes Undefined where the key is removed. */
  set(key: string, bytes: Uint8Array | undefined): void {
    const before = this.#sums.get(key) ?? 0;
    const after = bytes === undefined ? 0 : crc32c(bytes, 0, bytes.length, crc32c(utf8.encode(key)));
    if (bytes === undefined) this.#sums.delete(key);
    else this.#sums.set(key, after);
    this.#sum = (this.#sum - before + after) >>> 0;
  }

  /** As it is stored. */
  encode(): Uint8Array {
    const bytes = new Uint8Array(8);
    const view = new DataView(bytes.buffer);
    view.setUint32(0, this.#sums.size);
    view.setUint32(4, this.#sum);
    return bytes;
  }

  /** Whether a stored one is of what there is. Nothing stored is of nothing. */
  matches(stored: Uint8Array | undefined): boolean {
    if (stored === undefined) return this.#sums.size === 0;
    const own = this.encode();
    return stored.length === own.length && own.every((byte, i) => byte === stored[i]);
  }
}
