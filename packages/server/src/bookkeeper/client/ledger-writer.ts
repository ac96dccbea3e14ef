import { type NodeId, Ring, type Timer } from "@pulsewire/runtime";
import { EntryDigest, type LedgerEntry } from "../wire/ledger-entry.ts";
import type { ResultCode } from "../wire/result-code.ts";
import type { BookieLink } from "./bookie-link.ts";
import type { BookiePool } from "./bookie-pool.ts";
import { BookKeeperError } from "./bookkeeper-error.ts";
import { EnsembleChange } from "./ensemble-change.ts";
import { type LedgerMetadata, lastFragment, withMovedCopies } from "./ledger-metadata.ts";
import type { LedgerMetadataStore, VersionedLedgerMetadata } from "./ledger-metadata-store.ts";
import { type AddOwner, type LedgerAppendListener, PendingAdd } from "./pending-add.ts";

export interface LedgerWriterOptions {
  pool: BookiePool;
  store: LedgerMetadataStore;
  ledger: VersionedLedgerMetadata;
  /** Where a recovery goes on; default: an empty ledger. */
  recovery?: { lastConfirmed: number; lengthBytes: number };
}

/** `closed` and `failed` are final. While `changing`, appends are taken and none is acknowledged. */
type WriterState =
  | { kind: "open" }
  | { kind: "changing" }
  | { kind: "closing" }
  | { kind: "closed" }
  | { kind: "failed"; error: BookKeeperError };

const OPEN: WriterState = { kind: "open" };
const CHANGING: WriterState = { kind: "changing" };

/**
 * The one writer of a ledger. Entry n goes to the `writeQuorum` members of the ensemble from place n mod E on; it is
 * acknowledged when `ackQuorum` of them confirmed it and every earlier entry is acknowledged.
 */
export class LedgerWriter implements AddOwner {
  readonly ledgerId: number;
  readonly recovery: boolean;
  readonly #pool: BookiePool;
  readonly #store: LedgerMetadataStore;
  readonly #pending = new Ring<PendingAdd>();
  readonly #digest = new EntryDigest();
  readonly #failedBookies = new Set<NodeId>();
  /** Of those, the ones that may stay where nobody can take their place. */
  readonly #suspects = new Set<NodeId>();
  readonly #goneWatch: Disposable;
  readonly #writeQuorum: number;
  readonly #ackQuorum: number;
  #ledger: VersionedLedgerMetadata;
  #ensemble: readonly NodeId[];
  #links: readonly BookieLink[];
  #state: WriterState = OPEN;
  #nextEntryId: number;
  #lastConfirmed: number;
  #lengthBytes: number;
  #confirmedBytes: number;
  #change: Promise<void> = Promise.resolve();
  #closing: Promise<void> | undefined;
  readonly #quorumTimeoutMs: number;
  #quorumTimer: Timer | undefined;
  #onFailed: (error: BookKeeperError) => void = () => undefined;

  constructor(options: LedgerWriterOptions) {
    this.#pool = options.pool;
    this.#store = options.store;
    this.#ledger = options.ledger;
    this.ledgerId = options.ledger.ledgerId;
    this.recovery = options.recovery !== undefined;
    this.#quorumTimeoutMs = options.pool.addQuorumTimeoutMs;
    this.#writeQuorum = this.metadata.writeQuorum;
    this.#ackQuorum = this.metadata.ackQuorum;
    this.#lastConfirmed = options.recovery?.lastConfirmed ?? -1;
    this.#nextEntryId = this.#lastConfirmed + 1;
    this.#lengthBytes = options.recovery?.lengthBytes ?? 0;
    this.#confirmedBytes = this.#lengthBytes;
    this.#ensemble = lastFragment(this.metadata).bookies;
    this.#links = this.#ensemble.map((bookie) => this.#pool.link(bookie));
    // a writer that has nothing to write would not notice, and its ledger would look as if it had none
    this.#goneWatch = this.#pool.onBookieGone((bookie) => this.suspect(bookie));
  }

  get metadata(): LedgerMetadata {
    return this.#ledger.metadata;
  }

  /** The LAC: the last acknowledged entry, -1 for none. */
  get lastConfirmed(): number {
    return this.#lastConfirmed;
  }

  /** Payload bytes of the acknowledged entries. */
  get lengthBytes(): number {
    return this.#confirmedBytes;
  }

  /** Appends not acknowledged yet. */
  get pendingCount(): number {
    return this.#pending.length;
  }

  /** Why it failed, once it did. */
  get failure(): BookKeeperError | undefined {
    return this.#state.kind === "failed" ? this.#state.error : undefined;
  }

  /** Who is told once when the writer cannot go on, after each pending append was. */
  onFailed(listener: (error: BookKeeperError) => void): void {
    this.#onFailed = listener;
  }

  /**
   * Appends one entry and answers its id. Acknowledged to the listener, in the order of the calls.
   * @param payload Kept, not copied: it must not change any more.
   */
  append(payload: Uint8Array, listener: LedgerAppendListener): number {
    if (this.#state !== OPEN && this.#state !== CHANGING) return this.#refuse(listener);
    const entryId = this.#nextEntryId++;
    const ledgerId = this.ledgerId;
    const lac = this.#lastConfirmed;
    this.#lengthBytes += payload.length;
    const lengthBytes = this.#lengthBytes;
    const crc32c = this.#digest.of(ledgerId, entryId, lac, lengthBytes, payload);
    const entry: LedgerEntry = { ledgerId, entryId, lac, lengthBytes, crc32c, payload };
    const add = new PendingAdd(entry, this, listener);
    this.#pending.push(add);
    this.#send(add);
    if (this.#quorumTimeoutMs >= 0 && this.#quorumTimer === undefined) this.#watchQuorum();
    return entryId;
  }

  onAddResult(add: PendingAdd, bookie: NodeId, code: ResultCode): void {
    const slot = this.#ensemble.indexOf(bookie);
    // replaced meanwhile: what it did counts no more
    if (slot < 0) return;
    if (code !== "Ok") {
      this.#bookieFailed(bookie, code);
      return;
    }
    const place = this.#placeOf(slot, add.entry.entryId);
    if (place >= this.#writeQuorum) return;
    add.confirm(place);
    if (add.confirmations >= this.#ackQuorum) this.#acknowledge();
  }

  /** A bookie is gone or slow: another takes its place, if there is one. What it was sent may still be answered. */
  suspect(bookie: NodeId): void {
    if (!this.#ensemble.includes(bookie) || this.#failedBookies.has(bookie)) return;
    if (this.#state !== OPEN && this.#state !== CHANGING) return;
    this.#failedBookies.add(bookie);
    this.#suspects.add(bookie);
    if (this.#state === OPEN) this.#startEnsembleChange();
  }

  /**
   * Closes the ledger at the LAC; what is pending fails with LedgerClosed. LedgerFenced when somebody else recovers
   * it. With MetadataUnavailable the ledger stays as it was if it can be found out that it is not closed; otherwise the
   * writer has failed. Either way closing can be tried again.
   */
  close(): Promise<void> {
    this.#closing ??= this.#close().catch((error: unknown) => {
      this.#closing = undefined;
      throw error;
    });
    return this.#closing;
  }

  /** Its ledger is gone or another's: nothing is appended any more, and its metadata stays as it is, closed or not. */
  abandon(): void {
    if (this.#state.kind === "closed" || this.#state.kind === "failed") return;
    this.#stopWatching();
    this.#state = { kind: "closed" };
    this.#failPending(new BookKeeperError("LedgerClosed", `ledger ${this.ledgerId} was given up`));
  }

  async #close(): Promise<void> {
    while (this.#state === CHANGING) await this.#change;
    const before = this.#state;
    // given up: where it ends is not this writer's to say any more, and whoever asks must not take it for closed here
    if (before.kind === "closed") throw new BookKeeperError("LedgerClosed", `ledger ${this.ledgerId} was given up`);
    this.#state = { kind: "closing" };
    try {
      await this.#writeClosed();
    } catch (error) {
      await this.#notClosed(this.#failureOf(error), before);
    }
    this.#stopWatching();
    this.#state = { kind: "closed" };
    this.#failPending(new BookKeeperError("LedgerClosed", `ledger ${this.ledgerId} is closed`));
  }

  /**
   * The write that was to close the ledger failed, and may have been carried out all the same: an entry acknowledged
   * from here on would lie behind the end of a closed ledger. So nothing goes on before metadata says how it stands.
   * Returns when it is closed, and throws otherwise.
   */
  async #notClosed(failure: BookKeeperError, before: WriterState): Promise<void> {
    this.#state = before;
    if (before.kind === "failed") throw failure;
    if (failure.code !== "MetadataUnavailable") this.#fail(failure);
    else {
      this.#state = { kind: "closing" };
      try {
        const found = await this.#store.read(this.ledgerId);
        if (this.#convergesWith(found)) return;
      } catch (error) {
        this.#fail(this.#failureOf(error));
        throw failure;
      }
      this.#state = before;
      if (this.#failedBookies.size > 0) this.#startEnsembleChange();
      else this.#acknowledge();
    }
    throw failure;
  }

  #send(add: PendingAdd): void {
    const links = this.#links;
    const first = add.entry.entryId % links.length;
    for (let i = 0; i < this.#writeQuorum; i++) {
      const slot = first + i;
      (links[slot < links.length ? slot : slot - links.length] as BookieLink).add(add);
    }
  }

  /** The place of an ensemble's slot in the write quorum of an entry; not below Qw when it has none. */
  #placeOf(slot: number, entryId: number): number {
    const size = this.#ensemble.length;
    const place = slot - (entryId % size);
    return place < 0 ? place + size : place;
  }

  #acknowledge(): void {
    // looked at each time round: a listener may close the ledger
    while (this.#state === OPEN) {
      const add = this.#pending.at(0);
      if (add === undefined || add.confirmations < this.#ackQuorum) return;
      this.#pending.shift();
      this.#lastConfirmed = add.entry.entryId;
      this.#confirmedBytes = add.entry.lengthBytes;
      add.listener.onAdded(add.entry.entryId);
    }
  }

  /** Looks after a while whether what waits first now is still waiting. */
  #watchQuorum(): void {
    const timeoutMs = this.#quorumTimeoutMs;
    const first = this.#pending.at(0)?.entry.entryId;
    if (first === undefined) return;
    this.#quorumTimer = this.#pool.clock.setTimer(timeoutMs, () => {
      this.#quorumTimer = undefined;
      const waiting = this.#pending.at(0)?.entry.entryId;
      if (waiting !== first) this.#watchQuorum();
      else
        this.#fail(
          new BookKeeperError(
            "AddQuorumTimeout",
            `${this.ledgerId}:${first} was not confirmed by ${this.#ackQuorum} bookies in ${timeoutMs} ms`,
          ),
        );
    });
  }

  #refuse(listener: LedgerAppendListener): number {
    const error =
      this.#state.kind === "failed"
        ? this.#state.error
        : new BookKeeperError("LedgerClosed", `ledger ${this.ledgerId} is ${this.#state.kind}`);
    queueMicrotask(() => listener.onAddFailed(error));
    return -1;
  }

  #bookieFailed(bookie: NodeId, code: ResultCode): void {
    if (this.#state.kind === "failed" || this.#state.kind === "closed") return;
    if (code === "LedgerFenced" || code === "NoSuchLedger") {
      this.#fail(new BookKeeperError("LedgerFenced", `ledger ${this.ledgerId} was taken over, says ${bookie}`));
      return;
    }
    this.#failedBookies.add(bookie);
    this.#suspects.delete(bookie);
    if (this.#state === OPEN) this.#startEnsembleChange();
  }

  #startEnsembleChange(): void {
    this.#state = CHANGING;
    this.#change = this.#changeEnsemble().catch((error: unknown) => {
      if (this.#state === CHANGING) this.#fail(this.#failureOf(error));
    });
  }

  // Nothing is acknowledged from here to #useEnsemble: the new fragment starts behind the LAC as it is now.
  async #changeEnsemble(): Promise<void> {
    const [pool, store, writeQuorum, recovery] = [this.#pool, this.#store, this.#writeQuorum, this.recovery];
    const change = new EnsembleChange({ pool, store, writeQuorum, recovery });
    const before = this.#ensemble;
    let ensemble = before;
    while (this.#failedBookies.size > 0) {
      const [failed, suspects] = [new Set(this.#failedBookies), new Set(this.#suspects)];
      this.#failedBookies.clear();
      this.#suspects.clear();
      const next = await change.replace(ensemble, failed, suspects);
      if (next === undefined) continue;
      ensemble = next;
      const ledger = await change.commit(this.#ledger, { firstEntryId: this.#lastConfirmed + 1, bookies: ensemble });
      if (this.#state !== CHANGING) return;
      this.#ledger = ledger;
      // a bookie that failed since is one of the old ensemble; a new one was not sent anything yet
    }
    this.#useEnsemble(before, ensemble);
  }

  #useEnsemble(before: readonly NodeId[], ensemble: readonly NodeId[]): void {
    this.#ensemble = ensemble;
    this.#links = ensemble.map((bookie) => this.#pool.link(bookie));
    for (const add of this.#pending) {
      for (let slot = 0; slot < ensemble.length; slot++) {
        if (ensemble[slot] === before[slot]) continue;
        const place = this.#placeOf(slot, add.entry.entryId);
        if (place >= this.#writeQuorum) continue;
        add.unconfirm(place);
        (this.#links[slot] as BookieLink).add(add);
      }
    }
    this.#state = OPEN;
    this.#acknowledge();
  }

  async #writeClosed(): Promise<void> {
    for (;;) {
      const closed: LedgerMetadata = {
        ...this.metadata,
        state: "CLOSED",
        lastEntryId: this.#lastConfirmed,
        lengthBytes: this.#confirmedBytes,
      };
      const ledger = await this.#store.update(this.#ledger, closed);
      if (ledger !== undefined) {
        this.#ledger = ledger;
        return;
      }
      const found = await this.#store.read(this.ledgerId);
      if (this.#convergesWith(found)) return;
      const metadata = withMovedCopies(this.metadata, found.metadata);
      this.#ledger = { ...this.#ledger, metadata, version: found.version };
    }
  }

  /** Whether the ledger is closed already as it should be. Throws when its end is somebody else's to say. */
  #convergesWith(found: VersionedLedgerMetadata): boolean {
    const { state, lastEntryId } = found.metadata;
    if (state === "CLOSED" && (this.recovery || lastEntryId === this.#lastConfirmed)) {
      // whoever closed it first has said where it ends
      this.#ledger = found;
      this.#lastConfirmed = lastEntryId ?? -1;
      this.#confirmedBytes = found.metadata.lengthBytes;
      return true;
    }
    if (state === this.metadata.state) return false;
    throw new BookKeeperError("LedgerFenced", `ledger ${this.ledgerId} is ${state} by somebody else`);
  }

  /** Its ledger is deleted by whoever took over from its owner: what metadata and bookies say of that is the same. */
  #failureOf(cause: unknown): BookKeeperError {
    const error = BookKeeperError.from(cause);
    if (error.code !== "NoSuchLedger" || this.recovery) return error;
    return new BookKeeperError("LedgerFenced", `ledger ${this.ledgerId} was deleted by somebody else`, { cause });
  }

  #fail(error: BookKeeperError): void {
    if (this.#state.kind === "failed") return;
    this.#stopWatching();
    this.#state = { kind: "failed", error };
    this.#failPending(error);
    this.#onFailed(error);
  }

  #stopWatching(): void {
    this.#goneWatch[Symbol.dispose]();
    this.#quorumTimer?.cancel();
  }

  #failPending(error: BookKeeperError): void {
    for (;;) {
      const add = this.#pending.shift();
      if (add === undefined) return;
      add.listener.onAddFailed(error);
    }
  }
}
