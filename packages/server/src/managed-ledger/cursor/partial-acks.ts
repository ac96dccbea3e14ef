import type { Bits64 } from "@pulsewire/protocol";
import type { AckSet } from "../managed-ledger.ts";
import type { Position } from "../position.ts";
import { popcount } from "./entry-bitset.ts";

/** What is left of one batch, and its place: ledger, entry, then low and high word in turn. */
export interface PartialAckRecord {
  ledgerId: number;
  entryId: number;
  words: number[];
}

/** Batches of which some messages are acknowledged. A bit is 1 while its message is not. */
export class PartialAcks {
  readonly #ledgers = new Map<number, Map<number, Uint32Array>>();
  #count = 0;

  get count(): number {
    return this.#count;
  }

  get(position: Position): AckSet | undefined {
    const words = this.#words(position);
    return words && toAckSet(words);
  }

  /** Messages of a batch that are not acknowledged; undefined when none of them is. */
  left(position: Position): number | undefined {
    const words = this.#words(position);
    return words && bitsIn(words);
  }

  /**
   * Acknowledges the messages whose bits are 0 in `ackSet`.
   * @param batchSize How many messages the batch has; from the ack set when unknown.
   * @returns how many were not acknowledged before, and how many are left. With none left nothing is kept of it.
   */
  acknowledge(position: Position, ackSet: AckSet, batchSize?: number): { messages: number; left: number } {
    const before = this.#words(position) ?? allOf(batchSize ?? ackSet.length * 64);
    const after = new Uint32Array(before.length);
    for (let i = 0; i < before.length; i++) {
      const given = ackSet[i >>> 1];
      // Java cuts words that are 0 off the end of a bit set
      const mask = given === undefined ? 0 : (i & 1) === 0 ? given.low : given.high;
      after[i] = (before[i] as number) & mask;
    }
    const left = bitsIn(after);
    const messages = bitsIn(before) - left;
    if (left === 0) this.delete(position);
    else this.#set(position, after);
    return { messages, left };
  }

  delete({ ledgerId, entryId }: Position): void {
    if (this.#count === 0) return;
    const ledger = this.#ledgers.get(ledgerId);
    if (ledger?.delete(entryId) !== true) return;
    this.#count--;
    if (ledger.size === 0) this.#ledgers.delete(ledgerId);
  }

  dropUpTo({ ledgerId, entryId }: Position): void {
    if (this.#count === 0) return;
    for (const [id, ledger] of this.#ledgers) {
      if (id > ledgerId) continue;
      for (const entry of ledger.keys()) {
        if (id < ledgerId || entry <= entryId) this.delete({ ledgerId: id, entryId: entry });
      }
    }
  }

  clear(): void {
    this.#ledgers.clear();
    this.#count = 0;
  }

  records(countMax: number): PartialAckRecord[] {
    const records: PartialAckRecord[] = [];
    for (const [ledgerId, ledger] of this.#ledgers) {
      for (const [entryId, words] of ledger) {
        if (records.length === countMax) return records;
        records.push({ ledgerId, entryId, words: [...words] });
      }
    }
    return records;
  }

  restore({ ledgerId, entryId, words }: PartialAckRecord): void {
    this.#set({ ledgerId, entryId }, Uint32Array.from(words));
  }

  #words({ ledgerId, entryId }: Position): Uint32Array | undefined {
    return this.#count === 0 ? undefined : this.#ledgers.get(ledgerId)?.get(entryId);
  }

  #set({ ledgerId, entryId }: Position, words: Uint32Array): void {
    let ledger = this.#ledgers.get(ledgerId);
    if (ledger === undefined) {
      ledger = new Map();
      this.#ledgers.set(ledgerId, ledger);
    }
    if (!ledger.has(entryId)) this.#count++;
    ledger.set(entryId, words);
  }
}

function allOf(size: number): Uint32Array {
  const words = new Uint32Array(Math.max(1, Math.ceil(size / 64)) * 2);
  for (let i = 0; i < words.length; i++) {
    const bits = Math.min(32, Math.max(0, size - i * 32));
    words[i] = bits === 32 ? -1 : (1 << bits) - 1;
  }
  return words;
}

function bitsIn(words: Uint32Array): number {
  let bits = 0;
  for (const word of words) bits += popcount(word);
  return bits;
}

function toAckSet(words: Uint32Array): AckSet {
  const set: Bits64[] = [];
  for (let i = 0; i < words.length; i += 2) set.push({ low: words[i] as number, high: words[i + 1] as number });
  return set;
}
