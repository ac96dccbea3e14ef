import type { LedgerEntry } from "../wire/ledger-entry.ts";
import type { ResultCode } from "../wire/result-code.ts";
import { DeletedLedgers, type LedgersBefore } from "./deleted-ledgers.ts";

/** What a bookie knows of a ledger without looking into it. */
export interface LedgerState {
  readonly ledgerId: number;
  /** `durable` once the fence is in the journal. */
  fenced: "no" | "pending" | "durable";
  /**
   * Entries of it may have been lost to damage. What is not found is then answered as a failure: "no such entry" would
   * tell a recovery that the entry was never written.
   */
  limbo: boolean;
  empty: boolean;
  lac: number;
  /** Bytes of payload. */
  bytes: number;
}

/** A ledger as a checkpoint has it: id, flags, LAC, bytes. */
export type LedgerSnapshot = readonly [ledgerId: number, flags: number, lac: number, bytes: number];

const FENCED = 1;
const LIMBO = 2;
const EMPTY = 4;
/** It is gone, and only remembered. */
const DELETED = 8;
/** No ledger: up to this id others may be gone that are not remembered. */
const FORGOTTEN = 16;

/** A ledger of which everything was lost, as a checkpoint has it. */
export function lostLedger(ledgerId: number): LedgerSnapshot {
  return [ledgerId, LIMBO | EMPTY, -1, 0];
}

/** Up to which id ledgers may have been deleted of which nothing is known, as a checkpoint has it. */
export function forgottenUpTo(ledgerId: number): LedgerSnapshot[] {
  return ledgerId < 0 ? [] : [[ledgerId, FORGOTTEN, -1, 0]];
}

/** A ledger of which some may have been lost, as a checkpoint has it. */
export function doubtfulLedger(ledgerId: number, lac: number, bytes: number): LedgerSnapshot {
  return [ledgerId, LIMBO, lac, bytes];
}

/** All ledgers of a bookie, by id. */
export class LedgerTable {
  /** Something was lost of which the ledger is not known. */
  damaged = false;
  /** The first journal file that was begun after the last damage found at a start: no end of a doubt before counts. */
  doubtsFrom = 0;
  readonly #ledgers = new Map<number, LedgerState>();
  readonly #deleted = new DeletedLedgers();
  #last: LedgerState | undefined;
  #bytes = 0;
  #losses = 0;

  get size(): number {
    return this.#ledgers.size;
  }

  ids(): Iterable<number> {
    return this.#ledgers.keys();
  }

  get bytes(): number {
    return this.#bytes;
  }

  get(ledgerId: number): LedgerState | undefined {
    if (this.#last?.ledgerId === ledgerId) return this.#last;
    return this.#ledgers.get(ledgerId);
  }

  /** What becomes of an add. */
  admit(entry: LedgerEntry, recovery: boolean): ResultCode {
    const { ledgerId } = entry;
    if (this.#deleted.has(ledgerId)) return "NoSuchLedger";
    const ledger = this.get(ledgerId);
    if (recovery) return "Ok";
    if (ledger !== undefined && ledger.fenced !== "no") return "LedgerFenced";
    // a fence may be what was lost: the ledger's writer has to go elsewhere
    if (ledger?.limbo ?? (this.damaged && entry.entryId !== 0)) return "StorageFailed";
    return "Ok";
  }

  /**
   * An entry is there now.
   * @param growthBytes By how many bytes of payload there is more.
   * @param recovery It is a recovery's, and not its writer's.
   */
  added(entry: LedgerEntry, growthBytes: number, recovery: boolean): void {
    // a ledger that begins after the damage is none that the damage hit; one of which copies are given may have been
    const isHit = this.damaged && (recovery || entry.entryId !== 0);
    const ledger = this.get(entry.ledgerId) ?? this.#create(entry.ledgerId, isHit);
    ledger.empty = false;
    if (entry.lac > ledger.lac) ledger.lac = entry.lac;
    ledger.bytes += growthBytes;
    this.#bytes += growthBytes;
  }

  /** Of a ledger never seen too. */
  fence(ledgerId: number): LedgerState {
    const ledger = this.get(ledgerId) ?? this.#create(ledgerId, this.damaged);
    if (ledger.fenced === "no") ledger.fenced = "pending";
    return ledger;
  }

  isDeleted(ledgerId: number): boolean {
    return this.#deleted.has(ledgerId);
  }

  mayBeForgotten(ledgerId: number): boolean {
    if (ledgerId > this.#deleted.forgottenUpTo) return false;
    return this.get(ledgerId) === undefined && !this.#deleted.has(ledgerId);
  }

  delete(ledgerId: number): void {
    this.#bytes -= this.#ledgers.get(ledgerId)?.bytes ?? 0;
    this.#ledgers.delete(ledgerId);
    if (this.#last?.ledgerId === ledgerId) this.#last = undefined;
    this.#deleted.add(ledgerId);
  }

  /** How often entries were found to be lost since the start. */
  get losses(): number {
    return this.#losses;
  }

  /** Entries were lost: of one ledger, or of any. */
  damage(ledgerId: number | undefined): void {
    this.#losses++;
    if (ledgerId === undefined) {
      this.damaged = true;
      for (const ledger of this.#ledgers.values()) ledger.limbo = true;
    } else (this.#ledgers.get(ledgerId) ?? this.#create(ledgerId, true)).limbo = true;
  }

  /** Whether entries of a ledger may have been lost. */
  isDoubtful(ledgerId: number): boolean {
    return this.get(ledgerId)?.limbo ?? this.damaged;
  }

  *doubtfulIds(): Iterable<number> {
    for (const { ledgerId, limbo } of this.#ledgers.values()) if (limbo) yield ledgerId;
  }

  /** These are all the ledgers that may have had what was lost: of any other that is still there nothing was. */
  limitDamage({ ids, lastId }: LedgersBefore): void {
    this.damaged = false;
    this.#deleted.forgetUpTo(lastId);
    for (const ledgerId of ids) if (!this.#ledgers.has(ledgerId)) this.#create(ledgerId, true);
  }

  /** Nothing of a ledger is missing any more. */
  endDoubt(ledgerId: number): void {
    const ledger = this.get(ledgerId);
    if (ledger !== undefined) ledger.limbo = false;
  }

  snapshot(): LedgerSnapshot[] {
    const deleted = Array.from(this.#deleted.ids(), (ledgerId): LedgerSnapshot => [ledgerId, DELETED, -1, 0]);
    const ledgers = Array.from(this.#ledgers.values(), (ledger): LedgerSnapshot => {
      const { ledgerId, fenced, limbo, empty, lac, bytes } = ledger;
      const flags = (fenced === "no" ? 0 : FENCED) | (limbo ? LIMBO : 0) | (empty ? EMPTY : 0);
      return [ledgerId, flags, lac, bytes];
    });
    return [...forgottenUpTo(this.#deleted.forgottenUpTo), ...deleted, ...ledgers];
  }

  restore(snapshot: readonly LedgerSnapshot[]): void {
    for (const [ledgerId, flags, lac, bytes] of snapshot) {
      if ((flags & (DELETED | FORGOTTEN)) !== 0) {
        if ((flags & DELETED) !== 0) this.#deleted.add(ledgerId);
        else this.#deleted.forgetUpTo(ledgerId);
        continue;
      }
      const fenced = (flags & FENCED) === 0 ? "no" : "durable";
      const limbo = (flags & LIMBO) !== 0;
      this.#ledgers.set(ledgerId, { ledgerId, fenced, limbo, empty: (flags & EMPTY) !== 0, lac, bytes });
      this.#bytes += bytes;
    }
  }

  #create(ledgerId: number, limbo: boolean): LedgerState {
    const ledger: LedgerState = { ledgerId, fenced: "no", limbo, empty: true, lac: -1, bytes: 0 };
    this.#ledgers.set(ledgerId, ledger);
    this.#last = ledger;
    return ledger;
  }
}
