import type { Bits64 } from "@pulsewire/protocol";

/** Which messages of a batch are not acknowledged yet: one bit each, set while it is not. */
export class AckSet {
  readonly ledgerId: number;
  readonly entryId: number;
  readonly #words: Uint32Array;
  #remaining: number;
  /** Whether an acknowledgement was added that the broker has not been sent. */
  dirty = false;

  /** `known` is what the broker says is left; by default everything is. */
  constructor(ledgerId: number, entryId: number, batchSize: number, known?: readonly Bits64[]) {
    this.ledgerId = ledgerId;
    this.entryId = entryId;
    this.#words = new Uint32Array(Math.ceil(batchSize / 64) * 2);
    this.#remaining = 0;
    for (let index = 0; index < batchSize; index++) {
      if (known !== undefined && !hasBit(known, index)) continue;
      this.#words[index >> 5] = (this.#words[index >> 5] as number) | (1 << (index & 31));
      this.#remaining++;
    }
  }

  get complete(): boolean {
    return this.#remaining === 0;
  }

  acknowledge(index: number): void {
    const word = this.#words[index >> 5] ?? 0;
    const bit = 1 << (index & 31);
    if ((word & bit) === 0) return;
    this.#words[index >> 5] = word & ~bit;
    this.#remaining--;
    this.dirty = true;
  }

  /** Acknowledges every message up to and with this one. */
  acknowledgeUpTo(index: number): void {
    for (let i = 0; i <= index; i++) this.acknowledge(i);
  }

  /** As the wire has it: Java's long words, lowest first. */
  toBits(): Bits64[] {
    const bits: Bits64[] = [];
    for (let i = 0; i < this.#words.length; i += 2) {
      bits.push({ low: this.#words[i] as number, high: this.#words[i + 1] as number });
    }
    return bits;
  }
}

/** Whether a message is still to be acknowledged, by the words of the wire. */
export function hasBit(words: readonly Bits64[], index: number): boolean {
  const word = words[index >> 6];
  if (word === undefined) return false;
  const half = (index & 32) === 0 ? word.low : word.high;
  return ((half >>> (index & 31)) & 1) === 1;
}
