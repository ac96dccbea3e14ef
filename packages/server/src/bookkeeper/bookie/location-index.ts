import { crc32c } from "@pulsewire/protocol";
import type { AbstractLevel } from "abstract-level";
import type { Run } from "./entry-log/run.ts";

import { StorageError } from "./storage-error.ts";

/** An ordered store of keys and values with batches that are atomic and, with `sync`, durable. Bytes both. */
export type IndexLevel = AbstractLevel<string | Uint8Array, Uint8Array, Uint8Array>;

const SEQUENCE_KEY: Uint8Array = Uint8Array.of(0);
const RUN_PREFIX = 1;
const KEY_BYTES = 33;
const NUMBER_MAX = Number.MAX_SAFE_INTEGER;
/** `dbStorage_readAheadCacheBatchSize` at most; a run that holds an entry begins fewer entries before it. */
const RUN_ENTRIES_MAX = 1000;

/** Numbers from 0 to 2^53 in an order that bytes keep. */
function putNumber(view: DataView, offset: number, value: number): void {
  view.setUint32(offset, Math.floor(value / 2 ** 32));
  view.setUint32(offset + 4, value % 2 ** 32);
}

function getNumber(view: DataView, offset: number): number {
  return view.getUint32(offset) * 2 ** 32 + view.getUint32(offset + 4);
}

/** Log and offset belong to the key: an entry that was written again leaves the run of its first copy alone. */
function keyOf(ledgerId: number, entryId: number, logId: number, offset: number): Uint8Array {
  const key = new Uint8Array(KEY_BYTES);
  const view = new DataView(key.buffer);
  key[0] = RUN_PREFIX;
  putNumber(view, 1, ledgerId);
  putNumber(view, 9, entryId);
  putNumber(view, 17, logId);
  putNumber(view, 25, offset);
  return key;
}

const VALUE_BYTES = 12;

/** The database hands out what it finds: that it is what was put there tells a checksum over key and value. */
function checksumOf(key: Uint8Array, value: Uint8Array): number {
  return crc32c(value, 0, 8, crc32c(key));
}

function encodedRun(key: Uint8Array, run: Run): Uint8Array {
  const value = new Uint8Array(VALUE_BYTES);
  const view = new DataView(value.buffer);
  view.setUint32(0, run.count);
  view.setUint32(4, run.lengthBytes);
  view.setUint32(8, checksumOf(key, value));
  return value;
}

/** @throws StorageError Corrupt. */
function decodedRun(key: Uint8Array, value: Uint8Array): Run {
  const keyView = new DataView(key.buffer, key.byteOffset, key.byteLength);
  const valueView = new DataView(value.buffer, value.byteOffset, value.byteLength);
  if (key.length !== KEY_BYTES || value.length !== VALUE_BYTES || valueView.getUint32(8) !== checksumOf(key, value)) {
    throw new StorageError("Corrupt", "the index says something else than it was told");
  }
  return {
    ledgerId: getNumber(keyView, 1),
    firstEntryId: getNumber(keyView, 9),
    logId: getNumber(keyView, 17),
    offset: getNumber(keyView, 25),
    count: valueView.getUint32(0),
    lengthBytes: valueView.getUint32(4),
  };
}

/**
 * Where entries are: (ledger, entry) to (entry log, offset, length), one key for each run of entries. It holds nothing
 * that the entry logs do not tell, and can be made anew from them.
 */
export class LocationIndex {
  readonly #level: IndexLevel;

  constructor(level: IndexLevel) {
    this.#level = level;
  }

  /** The number of the last flush it has seen whole; -1 for none. */
  async sequence(): Promise<number> {
    const value = await this.#level.get(SEQUENCE_KEY);
    if (value === undefined || value.length !== 8) return -1;
    return getNumber(new DataView(value.buffer, value.byteOffset, value.byteLength), 0);
  }

  /** Runs that say they hold an entry, the likeliest first. */
  async *find(ledgerId: number, entryId: number): AsyncGenerator<Run> {
    const gte = keyOf(ledgerId, Math.max(0, entryId - RUN_ENTRIES_MAX + 1), 0, 0);
    const lte = keyOf(ledgerId, entryId, NUMBER_MAX, NUMBER_MAX);
    const iterator = this.#level.iterator({ gte, lte, reverse: true });
    try {
      for (;;) {
        const next = await iterator.next();
        if (next === undefined) return;
        const run = decodedRun(next[0], next[1]);
        if (run.firstEntryId + run.count > entryId) yield run;
      }
    } finally {
      await iterator.close();
    }
  }

  /** Every run of a ledger. */
  async *runsOf(ledgerId: number): AsyncGenerator<Run> {
    const lte = keyOf(ledgerId, NUMBER_MAX, NUMBER_MAX, NUMBER_MAX);
    for await (const [key, value] of this.#level.iterator({ gte: keyOf(ledgerId, 0, 0, 0), lte })) {
      yield decodedRun(key, value);
    }
  }

  /** Whether it can all be read, and is what it was told. */
  async isSound(): Promise<boolean> {
    try {
      for await (const [key, value] of this.#level.iterator({ gt: SEQUENCE_KEY })) decodedRun(key, value);
      return true;
    } catch (error) {
      if (error instanceof StorageError) return false;
      throw error;
    }
  }

  /** Adds and removes runs in one step, and notes which flush it was. */
  async write(added: readonly Run[], removed: readonly Run[], sequence: number): Promise<void> {
    const batch = this.#level.batch();
    for (const run of removed) batch.del(keyOf(run.ledgerId, run.firstEntryId, run.logId, run.offset));
    for (const run of added) {
      const key = keyOf(run.ledgerId, run.firstEntryId, run.logId, run.offset);
      batch.put(key, encodedRun(key, run));
    }
    const value = new Uint8Array(8);
    putNumber(new DataView(value.buffer), 0, sequence);
    batch.put(SEQUENCE_KEY, value);
    await batch.write(SYNC);
  }

  /** Durable with the next `write`. */
  async deleteLedgers(ledgerIds: Iterable<number>): Promise<void> {
    for (const ledgerId of ledgerIds) {
      const gte = keyOf(ledgerId, 0, 0, 0);
      await this.#level.clear({ gte, lte: keyOf(ledgerId, NUMBER_MAX, NUMBER_MAX, NUMBER_MAX) });
    }
  }

  async clear(): Promise<void> {
    await this.#level.clear();
  }

  close(): Promise<void> {
    return this.#level.close();
  }
}

/** Known to LevelDB, and passed over where there is nothing to sync. */
const SYNC: { sync: boolean } = { sync: true };
