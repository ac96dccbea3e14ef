import type { BookKeeperError } from "../bookkeeper/client/bookkeeper-error.ts";
import type { LedgerAppendListener } from "../bookkeeper/client/pending-add.ts";
import type { AppendListener } from "./managed-ledger.ts";

/** Who gets the results of appends, in the order of the appends. */
export interface AppendOwner {
  onWritten(append: PendingAppend, entryId: number): void;
  onNotWritten(append: PendingAppend): void;
}

/** One append from its call to its acknowledgement, over as many ledgers as it takes. */
export class PendingAppend implements LedgerAppendListener {
  readonly data: Uint8Array;
  readonly listener: AppendListener;
  readonly #owner: AppendOwner;

  constructor(owner: AppendOwner, data: Uint8Array, listener: AppendListener) {
    this.#owner = owner;
    this.data = data;
    this.listener = listener;
  }

  onAdded(entryId: number): void {
    this.#owner.onWritten(this, entryId);
  }

  // why is told to the owner once, for the writer as a whole
  onAddFailed(_error: BookKeeperError): void {
    this.#owner.onNotWritten(this);
  }
}
