import type { History } from "../history.ts";
import {
  acknowledgedIsStored,
  type Checker,
  logIsWhatWasSent,
  nothingIsStoredTwice,
  producersKeepTheirOrder,
  readersSeeOneSequence,
  sendsSettle,
} from "./log-checkers.ts";
import { metadataIsSound } from "./metadata-checkers.ts";
import {
  confirmedStaysAcknowledged,
  deliveredIsStored,
  everythingIsDelivered,
  firstDeliveriesAreInOrder,
  keysAreInOrder,
} from "./subscription-checkers.ts";

const ALWAYS: Readonly<Record<string, Checker>> = {
  sendsSettle,
  acknowledgedIsStored,
  logIsWhatWasSent,
  producersKeepTheirOrder,
  readersSeeOneSequence,
  deliveredIsStored,
  everythingIsDelivered,
  firstDeliveriesAreInOrder,
  keysAreInOrder,
  confirmedStaysAcknowledged,
  metadataIsSound,
  nothingIsOrphaned,
  crashesLeaveNoDamage,
};

/** Metadata and disks hold nothing in the end that belongs to nothing. */
function nothingIsOrphaned({ orphans }: History): string[] {
  return orphans;
}

/** A crash takes what was not synced from a disk, and leaves nothing that cannot be read. */
function crashesLeaveNoDamage({ damage }: History): string[] {
  return damage;
}

/** Failures told of one checker, at most. */
const FAILURES_MAX = 3;

/** What is wrong with a history: a line for each failure, with the name of the checker that found it. */
export function check(history: History, options: { deduplication: boolean }): string[] {
  const checkers = options.deduplication ? { ...ALWAYS, nothingIsStoredTwice } : ALWAYS;
  return Object.entries(checkers).flatMap(([name, checker]) => {
    const failures = checker(history);
    const told = failures.slice(0, FAILURES_MAX).map((failure) => `${name}: ${failure}`);
    const more = failures.length - told.length;
    return more > 0 ? [...told, `${name}: and ${more} more`] : told;
  });
}
