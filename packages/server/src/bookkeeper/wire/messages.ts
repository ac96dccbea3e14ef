import type { LedgerEntry } from "./ledger-entry.ts";
import type { ResultCode } from "./result-code.ts";

/** Adds entries, of any ledgers. A batch is what one client sent one bookie in one turn. */
export interface AddRequest {
  readonly type: "add";
  readonly requestId: number;
  readonly entries: readonly LedgerEntry[];
  /** Let through on a fenced ledger. */
  readonly recovery: boolean;
}

export interface ReadRequest {
  readonly type: "read";
  readonly requestId: number;
  readonly ledgerId: number;
  readonly entryIds: readonly number[];
  /** Fences the ledger first. */
  readonly fence: boolean;
}

export interface ReadLacRequest {
  readonly type: "read-lac";
  readonly requestId: number;
  readonly ledgerId: number;
  /** Fences the ledger first. */
  readonly fence: boolean;
}

export interface DeleteLedgerRequest {
  readonly type: "delete-ledger";
  readonly requestId: number;
  readonly ledgerId: number;
}

/** Asks whether a bookie may have lost entries of a ledger, or tells it that it has all of them again. */
export interface DoubtRequest {
  readonly type: "doubt";
  readonly requestId: number;
  readonly ledgerId: number;
  /** What it answered before all it should have was looked at and given to it; undefined to ask. */
  readonly over: string | undefined;
  /** Fences the ledger where the doubt is over: it is closed. */
  readonly fence: boolean;
}

export type BookieRequest = AddRequest | ReadRequest | ReadLacRequest | DeleteLedgerRequest | DoubtRequest;

export interface AddResponse {
  readonly type: "added";
  readonly requestId: number;
  /** One code for the whole batch, or one for each entry where they differ. */
  readonly codes: ResultCode | readonly ResultCode[];
}

export interface ReadResponse {
  readonly type: "entries";
  readonly requestId: number;
  readonly code: ResultCode;
  /** By place in `entryIds`: the entry, or undefined where the bookie has none. Empty unless `code` is Ok. */
  readonly entries: readonly (LedgerEntry | undefined)[];
}

export interface ReadLacResponse {
  readonly type: "lac";
  readonly requestId: number;
  readonly code: ResultCode;
  /** The fence that was asked for is durable. */
  readonly fenced: boolean;
  /** The highest entry this bookie can tell to be acknowledged; -1 for none. */
  readonly lac: number;
}

export interface DeleteLedgerResponse {
  readonly type: "deleted";
  readonly requestId: number;
  readonly code: ResultCode;
}

export interface DoubtResponse {
  readonly type: "doubt";
  readonly requestId: number;
  readonly code: ResultCode;
  /** Names what the bookie may have lost until now; undefined where it is in no doubt. */
  readonly doubt: string | undefined;
}

export type BookieResponse = AddResponse | ReadResponse | ReadLacResponse | DeleteLedgerResponse | DoubtResponse;
