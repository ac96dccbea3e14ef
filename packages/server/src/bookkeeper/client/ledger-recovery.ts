import type { NodeId } from "@pulsewire/runtime";
import { EntryDigest, type LedgerEntry } from "../wire/ledger-entry.ts";
import type { ReadLacResponse } from "../wire/messages.ts";
import type { BookiePool } from "./bookie-pool.ts";
import { BookKeeperError } from "./bookkeeper-error.ts";
import { lastFragment, writeSetOf } from "./ledger-metadata.ts";
import type { LedgerMetadataStore, VersionedLedgerMetadata } from "./ledger-metadata-store.ts";
import { LedgerReader } from "./ledger-reader.ts";
import { LedgerWriter } from "./ledger-writer.ts";
import type { LedgerAppendListener } from "./pending-add.ts";

/** Waits for every entry written anew, or for the first that cannot be. */
class Rewrite implements LedgerAppendListener {
  #outstanding = 0;
  #failure: BookKeeperError | undefined;
  #settle: (() => void) | undefined;

  expectOne(): void {
    this.#outstanding++;
  }

  onAdded(): void {
    this.#outstanding--;
    if (this.#outstanding === 0) this.#settle?.();
  }

  onAddFailed(error: BookKeeperError): void {
    this.#failure ??= error;
    this.#settle?.();
  }

  async done(): Promise<void> {
    if (this.#outstanding > 0 && this.#failure === undefined) {
      await new Promise<void>((resolve) => {
        this.#settle = resolve;
      });
    }
    if (this.#failure !== undefined) throw this.#failure;
  }
}

/**
 * Finds where a ledger ends that its writer did not close, and closes it there. The writer can get nothing
 * acknowledged any more once this is past fencing. Recoveries at the same time come to the same end: the first to
 * close it decides, and only entries that were never acknowledged differ.
 */
export class LedgerRecovery {
  readonly #pool: BookiePool;
  readonly #store: LedgerMetadataStore;
  readonly #digest = new EntryDigest();

  constructor(pool: BookiePool, store: LedgerMetadataStore) {
    this.#pool = pool;
    this.#store = store;
  }

  /** Answers the closed ledger. NoSuchLedger, RecoveryFailed, NotEnoughBookies, MetadataUnavailable. */
  async recover(ledgerId: number): Promise<VersionedLedgerMetadata> {
    const ledger = await this.#markInRecovery(ledgerId);
    if (ledger.metadata.state === "CLOSED") return ledger;
    // one that lost entries of it may have lost its last as well
    const answered = await this.#fence(ledger, ({ code }) => code !== "StorageFailed");
    // a fragment starts behind everything acknowledged before it
    const lac = Math.max(answered, lastFragment(ledger.metadata).firstEntryId - 1);
    const lengthBytes = await this.#lengthUpTo(ledger, lac);
    const recovery = { lastConfirmed: lac, lengthBytes };
    const writer = new LedgerWriter({ pool: this.#pool, store: this.#store, ledger, recovery });
    try {
      await this.#rewriteFrom(ledger, lac + 1, writer);
      await writer.close();
    } finally {
      writer.abandon();
    }
    return this.#store.read(ledgerId);
  }

  /**
   * Only fences: the writer can get nothing acknowledged any more. Bookies that lost what they had of it count too, since
   * nothing is asked but that they refuse.
   */
  async fence(ledgerId: number): Promise<VersionedLedgerMetadata> {
    const ledger = await this.#markInRecovery(ledgerId);
    if (ledger.metadata.state !== "CLOSED") await this.#fence(ledger, ({ fenced }) => fenced);
    return ledger;
  }

  async #markInRecovery(ledgerId: number): Promise<VersionedLedgerMetadata> {
    for (;;) {
      const found = await this.#store.read(ledgerId);
      if (found.metadata.state !== "OPEN") return found;
      const marked = await this.#store.update(found, { ...found.metadata, state: "IN_RECOVERY" });
      if (marked !== undefined) return marked;
    }
  }

  /**
   * Fences the last ensemble until no write quorum is left that could confirm an entry; answers the highest LAC.
   * @param counts Whether the answer of a bookie does.
   */
  #fence(
    { ledgerId, metadata }: VersionedLedgerMetadata,
    counts: (answer: ReadLacResponse) => boolean,
  ): Promise<number> {
    const { bookies } = lastFragment(metadata);
    const answers = new Map<NodeId, number>();
    let waiting = bookies.length;
    return new Promise((resolve, reject) => {
      for (const bookie of bookies) {
        const asked = this.#pool
          .link(bookie)
          .call((requestId) => ({ type: "read-lac", requestId, ledgerId, fence: true }));
        void asked.then((result) => {
          waiting--;
          if (typeof result !== "string" && result.type === "lac" && counts(result)) {
            answers.set(bookie, result.lac);
            if (isCovered(bookies, answers, metadata)) resolve(Math.max(...answers.values()));
          }
          if (waiting === 0) reject(tooFewAnswers(ledgerId, answers.size, bookies.length));
        });
      }
    });
  }

  async #lengthUpTo(ledger: VersionedLedgerMetadata, lac: number): Promise<number> {
    if (lac < 0) return 0;
    const { ledgerId, metadata } = ledger;
    const [entry] = await new LedgerReader({ ledgerId, metadata, lastConfirmed: lac }, this.#pool).read(lac, lac);
    return entry?.lengthBytes ?? 0;
  }

  async #rewriteFrom(ledger: VersionedLedgerMetadata, first: number, writer: LedgerWriter): Promise<void> {
    const rewrite = new Rewrite();
    for (let entryId = first; ; entryId++) {
      const entry = await this.#find(ledger, entryId);
      if (entry === undefined) break;
      rewrite.expectOne();
      writer.append(entry.payload, rewrite);
    }
    await rewrite.done();
  }

  /**
   * An entry behind the LAC: found where one copy is; not there where so many members of its write quorum have none
   * that it cannot have been acknowledged. Anything else stops the recovery rather than lose an entry.
   */
  #find({ ledgerId, metadata }: VersionedLedgerMetadata, entryId: number): Promise<LedgerEntry | undefined> {
    const bookies = writeSetOf(metadata, entryId);
    const absentEnough = metadata.writeQuorum - metadata.ackQuorum + 1;
    let absent = 0;
    let waiting = bookies.length;
    return new Promise((resolve, reject) => {
      for (const bookie of bookies) {
        const asked = this.#pool
          .link(bookie)
          .call((requestId) => ({ type: "read", requestId, ledgerId, entryIds: [entryId], fence: true }));
        void asked.then((result) => {
          waiting--;
          const answered = typeof result !== "string" && result.type === "entries" && result.code === "Ok";
          const entry = answered ? result.entries[0] : undefined;
          if (entry !== undefined && this.#digest.matches(entry)) resolve(entry);
          else if (answered && entry === undefined && ++absent >= absentEnough) resolve(undefined);
          if (waiting === 0) reject(tooFewAnswers(ledgerId, absent, bookies.length));
        });
      }
    });
  }
}

function tooFewAnswers(ledgerId: number, answered: number, asked: number): BookKeeperError {
  return new BookKeeperError("RecoveryFailed", `ledger ${ledgerId}: ${answered} of ${asked} bookies could answer`);
}

/** Whether Qw - Qa + 1 members of every write quorum answered: fewer than Qa of any are left to confirm an entry. */
function isCovered(
  bookies: readonly NodeId[],
  answers: ReadonlyMap<NodeId, number>,
  { writeQuorum, ackQuorum }: { writeQuorum: number; ackQuorum: number },
): boolean {
  for (let first = 0; first < bookies.length; first++) {
    let answered = 0;
    for (let i = 0; i < writeQuorum; i++) {
      if (answers.has(bookies[(first + i) % bookies.length] as NodeId)) answered++;
    }
    if (answered < writeQuorum - ackQuorum + 1) return false;
  }
  return true;
}
