import { crc32c } from "@pulsewire/protocol";

/** One entry as it travels to bookies, is kept there, and comes back. Shared by all of them; nobody writes to it. */
export interface LedgerEntry {
  readonly ledgerId: number;
  readonly entryId: number;
  /** The last entry the writer knew to be acknowledged when it sent this one; -1 for none. */
  readonly lac: number;
  /** Payload bytes of the ledger up to and including this entry. */
  readonly lengthBytes: number;
  /** Over the payload and the numbers above. */
  readonly crc32c: number;
  readonly payload: Uint8Array;
}

const HEAD_BYTES = 32;

/** Computes and checks entries' digests, over memory of its own. */
export class EntryDigest {
  readonly #head = new Uint8Array(HEAD_BYTES);
  readonly #view = new DataView(this.#head.buffer);

  of(ledgerId: number, entryId: number, lac: number, lengthBytes: number, payload: Uint8Array): number {
    this.#view.setFloat64(0, ledgerId);
    this.#view.setFloat64(8, entryId);
    this.#view.setFloat64(16, lac);
    this.#view.setFloat64(24, lengthBytes);
    return crc32c(this.#head, 0, HEAD_BYTES, crc32c(payload));
  }

  matches(entry: LedgerEntry): boolean {
    return entry.crc32c === this.of(entry.ledgerId, entry.entryId, entry.lac, entry.lengthBytes, entry.payload);
  }
}
