import type { NodeId } from "@pulsewire/runtime";
import type { LedgerEntry } from "../wire/ledger-entry.ts";
import type { ResultCode } from "../wire/result-code.ts";
import type { BookKeeperError } from "./bookkeeper-error.ts";

/** Told how an append to a ledger went; an object and not closures, since there is one for every entry. */
export interface LedgerAppendListener {
  onAdded(entryId: number): void;
  onAddFailed(error: BookKeeperError): void;
}

/** Who sent an entry and hears what each bookie made of it. */
export interface AddOwner {
  /** Whether its adds pass a fence. */
  readonly recovery: boolean;
  onAddResult(add: PendingAdd, bookie: NodeId, code: ResultCode): void;
  /** A bookie is slow to answer, or gone: another may take its place. */
  suspect(bookie: NodeId): void;
}

/** One entry on its way to its write quorum. */
export class PendingAdd {
  readonly entry: LedgerEntry;
  readonly owner: AddOwner;
  readonly listener: LedgerAppendListener;
  /** Bit i: the member at place i of the write quorum confirmed. */
  confirmedMask = 0;
  confirmations = 0;

  constructor(entry: LedgerEntry, owner: AddOwner, listener: LedgerAppendListener) {
    this.entry = entry;
    this.owner = owner;
    this.listener = listener;
  }

  confirm(place: number): void {
    const bit = 1 << place;
    if ((this.confirmedMask & bit) !== 0) return;
    this.confirmedMask |= bit;
    this.confirmations++;
  }

  unconfirm(place: number): void {
    const bit = 1 << place;
    if ((this.confirmedMask & bit) === 0) return;
    this.confirmedMask &= ~bit;
    this.confirmations--;
  }
}
