/**
 * What a simulated disk keeps of a file: the bytes as a reader sees them now, and enough of what was last synced to go
 * back to it. Before the first sync nothing of it is durable.
 */
export class StoredFile {
  #bytes: Uint8Array = new Uint8Array(256);
  #length = 0;
  /** The first bytes that are as they were at the last sync. */
  #durableBytes = 0;
  /** What followed them at the last sync and was cut off or written over since. */
  #cutOff: Uint8Array = new Uint8Array(0);

  get length(): number {
    return this.#length;
  }

  /** Bytes that a crash may take. */
  get unsyncedBytes(): number {
    return this.#length - this.#durableBytes;
  }

  /** Puts bytes at an offset, at the end of the file at most, and zeros after them. */
  write(offset: number, bytes: Uint8Array, roomBytes: number): void {
    this.#keepDurable(offset);
    const end = offset + bytes.length + roomBytes;
    this.#reserve(end);
    this.#bytes.set(bytes, offset);
    if (roomBytes > 0) this.#bytes.fill(0, offset + bytes.length, end);
    this.#length = Math.max(this.#length, end);
  }

  read(offset: number, length: number): Uint8Array {
    return this.#bytes.slice(offset, Math.min(offset + length, this.#length));
  }

  truncate(sizeBytes: number): void {
    if (sizeBytes >= this.#length) return;
    this.#keepDurable(sizeBytes);
    this.#length = sizeBytes;
  }

  sync(): void {
    this.#durableBytes = this.#length;
    this.#cutOff = new Uint8Array(0);
  }

  /** Back to what was synced, and of what was written since the first `survivingBytes`. */
  loseUnsynced(survivingBytes: number): void {
    const surviving = Math.min(this.#length, this.#durableBytes + survivingBytes);
    const kept = this.#cutOff.subarray(Math.min(this.#cutOff.length, surviving - this.#durableBytes));
    this.#length = surviving + kept.length;
    this.#reserve(this.#length);
    this.#bytes.set(kept, surviving);
    this.sync();
  }

  flipBit(bit: number): void {
    const at = bit >> 3;
    if (at < this.#length) this.#bytes[at] = (this.#bytes[at] as number) ^ (1 << (bit & 7));
  }

  /** What is durable from an offset on is kept for a crash. */
  #keepDurable(offset: number): void {
    if (offset >= this.#durableBytes) return;
    const gone = this.#bytes.slice(offset, this.#durableBytes);
    const cutOff = new Uint8Array(gone.length + this.#cutOff.length);
    cutOff.set(gone);
    cutOff.set(this.#cutOff, gone.length);
    this.#cutOff = cutOff;
    this.#durableBytes = offset;
  }

  #reserve(length: number): void {
    if (length <= this.#bytes.length) return;
    const bigger = new Uint8Array(Math.max(length, 2 * this.#bytes.length));
    bigger.set(this.#bytes.subarray(0, this.#length));
    this.#bytes = bigger;
  }
}
