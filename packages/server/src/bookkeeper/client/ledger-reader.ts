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

/** What one bookie has of an entry. */
type Copy = LedgerEntry | "NoSuchEntry" | "DigestMismatch" | "ReadFailed";

/** What each bookie said that has no copy that can be read. */
type Answers = Map<NodeId, Exclude<Copy, LedgerEntry>>;

const WORDS = {
  NoSuchEntry: "has none",
  DigestMismatch: "has a damaged one, or lost it",
  ReadFailed: "did not answer",
} as const;

const digest = new EntryDigest();

/** How often each copy is asked for while none comes. */
const ROUNDS = 2;

/** Reads entries from whichever copy can be had, and gives bookies back what they turn out to have lost. */
export class LedgerReader {
  readonly #ledger: ReadableLedger;
  readonly #pool: BookiePool;
  /** Where the ledger stands by now: copies may have been moved since it was opened. */
  readonly #metadataNow: (() => Promise<LedgerMetadata>) | undefined;
  #moved: LedgerMetadata | undefined;

  constructor(ledger: ReadableLedger, pool: BookiePool, metadataNow?: () => Promise<LedgerMetadata>) {
    this.#ledger = ledger;
    this.#pool = pool;
    this.#metadataNow = metadataNow;
  }

  /** The ids of entries of which a bookie has an intact copy. ReadFailed when it does not answer. */
  static async intactCopies(
    pool: BookiePool,
    { ledgerId, bookie, entryIds }: { ledgerId: number; bookie: NodeId; entryIds: readonly number[] },
  ): Promise<Set<number>> {
    const result = await pool
      .link(bookie)
      .call((requestId) => ({ type: "read", requestId, ledgerId, entryIds, fence: false }));
    if (typeof result === "string" || result.type !== "entries") {
      throw new BookKeeperError("ReadFailed", `${bookie} did not answer which entries of ledger ${ledgerId} it has`);
    }
    return new Set(entryIds.filter((_, i) => isIntact(result.entries[i])));
  }

  get ledgerId(): number {
    return this.#ledger.ledgerId;
  }

  get metadata(): LedgerMetadata {
    return this.#moved ?? this.#ledger.metadata;
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
    const missing = entries.flatMap((entry, i) => (entry === undefined ? [first + i] : []));
    await Promise.all(
      missing.map(async (entryId) => {
        entries[entryId - first] = await this.#readAnyCopy(entryId);
      }),
    );
    return entries as LedgerEntry[];
  }

  /** The write quorum, with those that do not answer, or not in time, at the end. */
  #replicas(entryId: number): NodeId[] {
    const set = writeSetOf(this.metadata, entryId);
    if (!set.some((bookie) => this.#pool.link(bookie).slowness > 0)) return set;
    return set.sort((a, b) => this.#pool.link(a).slowness - this.#pool.link(b).slowness);
  }

  /** What a bookie does not give in time is left to the other copies. */
  async #readInto(
    entries: (LedgerEntry | undefined)[],
    first: number,
    bookie: NodeId,
    entryIds: readonly number[],
  ): Promise<void> {
    const ledgerId = this.ledgerId;
    const link = this.#pool.link(bookie);
    const asked = link.call((requestId) => ({ type: "read", requestId, ledgerId, entryIds, fence: false }));
    const result = await link.inTime(asked);
    if (typeof result === "string" || result.type !== "entries") return;
    for (let i = 0; i < entryIds.length; i++) {
      const entry = result.entries[i];
      if (isIntact(entry)) entries[(entryIds[i] as number) - first] = entry;
    }
  }

  async #readAnyCopy(entryId: number): Promise<LedgerEntry> {
    const before = this.metadata;
    const found = await this.#firstCopy(entryId);
    if (!(found instanceof Map)) return found;
    await this.#lookAgain();
    const again = this.metadata === before ? found : await this.#firstCopy(entryId);
    if (!(again instanceof Map)) return again;
    throw noCopy(this.ledgerId, entryId, again);
  }

  /**
   * Asks one bookie after the other: the next when one has no intact copy, or takes its time. Where none has one, what
   * each said last.
   */
  #firstCopy(entryId: number): Promise<LedgerEntry | Answers> {
    const replicas = this.#replicas(entryId);
    const lacking = new Set<NodeId>();
    const answers: Answers = new Map();
    let asked = 0;
    let answered = 0;
    let over = false;
    return new Promise((resolve) => {
      const take = (bookie: NodeId, copy: Copy): void => {
        answered++;
        if (typeof copy !== "string") {
          if (!over) resolve(copy);
          over = true;
          for (const other of lacking) this.#repair(other, copy);
          lacking.clear();
          return;
        }
        if (copy !== "ReadFailed") lacking.add(bookie);
        answers.set(bookie, copy);
        if (over) return;
        if (asked < replicas.length) askNext();
        else if (answered === asked) resolve(answers);
      };
      const askNext = (): void => {
        const place = ++asked;
        const bookie = replicas[(place - 1) % replicas.length] as NodeId;
        const copy = this.#copyOf(bookie, entryId);
        void copy.then((result) => take(bookie, result));
        this.#pool.link(bookie).whenLate(copy, () => {
          // once round, each is asked again: an answer may have been lost on the way
          if (!over && asked === place && asked < ROUNDS * replicas.length) askNext();
        });
      };
      askNext();
    });
  }

  async #copyOf(bookie: NodeId, entryId: number): Promise<Copy> {
    const ledgerId = this.ledgerId;
    const result = await this.#pool
      .link(bookie)
      .call((requestId) => ({ type: "read", requestId, ledgerId, entryIds: [entryId], fence: false }));
    if (typeof result === "string" || result.type !== "entries") return "ReadFailed";
    // what the bookie has and cannot read is as good as broken
    if (result.code !== "Ok") return result.code === "StorageFailed" ? "DigestMismatch" : "ReadFailed";
    const entry = result.entries[0];
    if (entry === undefined) return "NoSuchEntry";
    return isIntact(entry) ? entry : "DigestMismatch";
  }

  /**
   * A bookie that should have a copy has none that is intact: it is given it again. Of a ledger that is written a copy
   * that is not there may only be on its way.
   */
  #repair(bookie: NodeId, entry: LedgerEntry): void {
    if (this.metadata.state !== "CLOSED") return;
    this.#pool.statistics.repairedEntries++;
    // whether it succeeds is seen by the next who reads it
    void this.#pool.link(bookie).call((requestId) => ({ type: "add", requestId, entries: [entry], recovery: true }));
  }

  async #lookAgain(): Promise<void> {
    if (this.#metadataNow === undefined) return;
    try {
      const now = await this.#metadataNow();
      if (JSON.stringify(now.fragments) !== JSON.stringify(this.metadata.fragments)) this.#moved = now;
    } catch (error) {
      // without metadata what is known has to do, and the read fails for its own reason
      if (!(error instanceof BookKeeperError)) throw error;
    }
  }
}

function isIntact(entry: LedgerEntry | undefined): entry is LedgerEntry {
  return entry !== undefined && digest.matches(entry);
}

/** That a copy is damaged says most, and that one was not there least. */
function noCopy(ledgerId: number, entryId: number, answers: Answers): BookKeeperError {
  const all = [...answers.values()];
  const code = (["DigestMismatch", "ReadFailed"] as const).find((one) => all.includes(one)) ?? "NoSuchEntry";
  const each = Array.from(answers, ([bookie, said]) => `${bookie} ${WORDS[said]}`)
    .sort()
    .join(", ");
  return new BookKeeperError(code, `no copy of entry ${entryId} of ledger ${ledgerId} can be read: ${each}`);
}
