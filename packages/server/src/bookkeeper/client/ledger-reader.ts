import type { NodeId } from "@pulsewire/runtime";
import { EntryDigest, type LedgerEntry } from "../wire/ledger-entry.ts";
import type { BookiePool } from "./bookie-pool.ts";
import { BookKeeperError } from "./bookkeeper-error.ts";
import { type LedgerMetadata, writeSetOf } from "./ledger-metadata.ts";

/** A ledger as it can be read now: of one being written, up to what is acknowledged. */
export interface ReadableLedger {
  readonly ledgerId: number;
  readonly metadata: LedgerMetadata;
  /** The last entry that may be read; -1 for none. */
  readonly lastConfirmed: number;
}

/** Reads entries from whichever copy can be had. */
export class LedgerReader {
  readonly #ledger: ReadableLedger;
  readonly #pool: BookiePool;
  readonly #digest = new EntryDigest();

  constructor(ledger: ReadableLedger, pool: BookiePool) {
    this.#ledger = ledger;
    this.#pool = pool;
  }

  get ledgerId(): number {
    return this.#ledger.ledgerId;
  }

  get metadata(): LedgerMetadata {
    return this.#ledger.metadata;
  }

  get lastConfirmed(): number {
    return this.#ledger.lastConfirmed;
  }

  /**
   * The entries from `first` to `last`, both included, in order. Rejects with NoSuchEntry past the LAC, and with
   * NoSuchEntry, DigestMismatch or ReadFailed where no copy of an entry can be had.
   */
  async read(first: number, last: number): Promise<LedgerEntry[]> {
    if (first < 0 || last > this.lastConfirmed) {
      throw new BookKeeperError("NoSuchEntry", `${this.ledgerId}:${first}-${last}, last is ${this.lastConfirmed}`);
    }
    const entries = new Array<LedgerEntry | undefined>(last - first + 1).fill(undefined);
    const byBookie = new Map<NodeId, number[]>();
    for (let entryId = first; entryId <= last; entryId++) {
      const bookie = this.#replicas(entryId)[0] as NodeId;
      const ids = byBookie.get(bookie);
      if (ids === undefined) byBookie.set(bookie, [entryId]);
      else ids.push(entryId);
    }
    await Promise.all(Array.from(byBookie, ([bookie, ids]) => this.#readInto(entries, first, bookie, ids)));
    for (let i = 0; i < entries.length; i++) entries[i] ??= await this.#readAnyCopy(first + i);
    return entries as LedgerEntry[];
  }

  /** The write quorum, with those that do not answer at the end. */
  #replicas(entryId: number): NodeId[] {
    const set = writeSetOf(this.metadata, entryId);
    if (!set.some((bookie) => this.#pool.link(bookie).quarantined)) return set;
    return set.sort((a, b) => Number(this.#pool.link(a).quarantined) - Number(this.#pool.link(b).quarantined));
  }

  async #readInto(
    entries: (LedgerEntry | undefined)[],
    first: number,
    bookie: NodeId,
    entryIds: readonly number[],
  ): Promise<void> {
    const ledgerId = this.ledgerId;
    const result = await this.#pool
      .link(bookie)
      .call((requestId) => ({ type: "read", requestId, ledgerId, entryIds, fence: false }));
    if (typeof result === "string" || result.type !== "entries") return;
    for (let i = 0; i < entryIds.length; i++) {
      const entry = result.entries[i];
      if (entry !== undefined && this.#digest.matches(entry)) entries[(entryIds[i] as number) - first] = entry;
    }
  }

  async #readAnyCopy(entryId: number): Promise<LedgerEntry> {
    let code: "NoSuchEntry" | "DigestMismatch" | "ReadFailed" = "NoSuchEntry";
    for (const bookie of this.#replicas(entryId)) {
      const ledgerId = this.ledgerId;
      const result = await this.#pool
        .link(bookie)
        .call((requestId) => ({ type: "read", requestId, ledgerId, entryIds: [entryId], fence: false }));
      if (typeof result === "string" || result.type !== "entries" || result.code !== "Ok") {
        code = "ReadFailed";
        continue;
      }
      const entry = result.entries[0];
      if (entry === undefined) continue;
      if (this.#digest.matches(entry)) return entry;
      code = "DigestMismatch";
    }
    throw new BookKeeperError(code, `no copy of ${this.ledgerId}:${entryId} can be read`);
  }
}
