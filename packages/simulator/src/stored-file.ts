/**
 * What a simulated disk keeps of a file: the bytes as a reader sees them now, and enough of what was last synced to go
 * back to it. Before the first sync nothing of it is durable.
 */
export class StoredFile {
  #bytes: Uint8Array = new Uint8Array(256);
  #length = 0;
  /** The first bytes that are as they were at the last sync. */
  #durableBytes = 0;
  /** What followed them at the last sync and was cut off since. */
  #cutOff: Uint8Array = new Uint8Array(0);

  get length(): number {
    return this.#length;
  }

  /** Bytes that a crash may take. */
  get unsyncedBytes(): number {
    return this.#length - this.#durableBytes;
  }

  append(bytes: Uint8Array): void {
    this.#reserve(this.#length + bytes.length);
    this.#bytes.set(bytes, this.#length);
    this.#length += bytes.length;
  }

  read(offset: number, length: number): Uint8Array {
    return this.#bytes.slice(offset, Math.min(offset + length, this.#length));
  }

  truncate(sizeBytes: number): void {
    if (sizeBytes >= this.#length) return;
    if (sizeBytes < this.#durableBytes) {
      const gone = this.#bytes.slice(sizeBytes, this.#durableBytes);
      const cutOff = new Uint8Array(gone.length + this.#cutOff.length);
      cutOff.set(gone);
      cutOff.set(this.#cutOff, gone.length);
      this.#cutOff = cutOff;
      this.#durableBytes = sizeBytes;
    }
    this.#length = sizeBytes;
  }

  sync(): void {
    this.#durableBytes = this.#length;
    this.#cutOff = new Uint8Array(0);
  }

  /** Back to what was synced, and of what was appended since the first `survivingBytes`. */
  loseUnsynced(survivingBytes: number): void {
    if (this.#cutOff.length > 0) {
      this.#length = this.#durableBytes;
      this.append(this.#cutOff);
    } else this.#length = Math.min(this.#length, this.#durableBytes + survivingBytes);
    this.sync();
  }

  flipBit(bit: number): void {
    const at = bit >> 3;
    if (at < this.#length) this.#bytes[at] = (this.#bytes[at] as number) ^ (1 << (bit & 7));
  }

  #reserve(length: number): void {
    if (length <= this.#bytes.length) return;
    const bigger = new Uint8Array(Math.max(length, 2 * this.#bytes.length));
    bigger.set(this.#bytes.subarray(0, this.#length));
    this.#bytes = bigger;
  }
}
