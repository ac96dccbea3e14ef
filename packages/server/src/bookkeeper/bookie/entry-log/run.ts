/**
 * Entries of one ledger with ids that follow each other, side by side in an entry log: what the location index knows and
 * what is read at once.
 */
export interface Run {
  readonly ledgerId: number;
  readonly firstEntryId: number;
  readonly count: number;
  readonly logId: number;
  readonly offset: number;
  readonly lengthBytes: number;
}

/** A run ends before it has more bytes, unless it is of one entry. */
const RUN_BYTES_MAX = 256 * 1024;

/** Puts entries together to runs as they are written. */
export class RunBuilder {
  readonly runs: Run[] = [];
  readonly #entriesMax: number;
  #ledgerId = -1;
  #firstEntryId = 0;
  #count = 0;
  #logId = 0;
  #offset = 0;
  #lengthBytes = 0;

  /** @param entriesMax `dbStorage_readAheadCacheBatchSize`. */
  constructor(entriesMax: number) {
    this.#entriesMax = entriesMax;
  }

  add(ledgerId: number, entryId: number, logId: number, offset: number, lengthBytes: number): void {
    const goesOn =
      ledgerId === this.#ledgerId &&
      entryId === this.#firstEntryId + this.#count &&
      logId === this.#logId &&
      offset === this.#offset + this.#lengthBytes &&
      this.#count < this.#entriesMax &&
      this.#lengthBytes + lengthBytes <= RUN_BYTES_MAX;
    if (!goesOn) {
      this.end();
      this.#ledgerId = ledgerId;
      this.#firstEntryId = entryId;
      this.#logId = logId;
      this.#offset = offset;
    }
    this.#count++;
    this.#lengthBytes += lengthBytes;
  }

  /** What was added last is the end of its run. */
  end(): Run[] {
    if (this.#count > 0) {
      this.runs.push({
        ledgerId: this.#ledgerId,
        firstEntryId: this.#firstEntryId,
        count: this.#count,
        logId: this.#logId,
        offset: this.#offset,
        lengthBytes: this.#lengthBytes,
      });
    }
    this.#count = 0;
    this.#lengthBytes = 0;
    return this.runs;
  }
}
