import type { Seen, StoredLedger } from "../history.ts";
import type { Checker } from "./log-checkers.ts";

/**
 * The metadata store agrees with the log: ledgers in rising order, each of them there, all but the last closed where the
 * list says they end, every fragment on as many different bookies as the ensemble has, no entry behind an end, and in the
 * end every entry of a closed ledger on each bookie of its write quorum.
 */
export const metadataIsSound: Checker = (history) =>
  [...history.ledgers].flatMap(([topic, ledgers]) =>
    ledgers.flatMap((ledger, i) => {
      const what = `${topic}: ledger ${ledger.ledgerId}`;
      const isLast = i === ledgers.length - 1;
      return [
        ...orderOf(what, ledger, ledgers[i - 1]),
        ...endOf(what, ledger, isLast, history.logs.get(topic) ?? []),
        ...fragmentsOf(what, ledger),
        ...copiesOf(what, ledger),
      ];
    }),
  );

function orderOf(what: string, ledger: StoredLedger, before: StoredLedger | undefined): string[] {
  return before !== undefined && before.ledgerId >= ledger.ledgerId ? [`${what} comes behind ${before.ledgerId}`] : [];
}

function endOf(what: string, ledger: StoredLedger, isLast: boolean, log: readonly Seen[]): string[] {
  const { state, lastEntryId = -1, listedEntries, ledgerId } = ledger;
  if (state === undefined) return [`${what} is listed and not there`];
  if (isLast) return [];
  if (state !== "CLOSED") return [`${what} is ${state} and not the last`];
  const failures: string[] = [];
  if (lastEntryId + 1 !== listedEntries)
    failures.push(`${what} ends at ${lastEntryId}, listed with ${listedEntries} entries`);
  const held = new Set(log.filter(({ place }) => place.ledgerId === ledgerId).map(({ place }) => place.entryId));
  if (held.size !== listedEntries)
    failures.push(`${what} has ${listedEntries} entries, of which ${held.size} are read`);
  return failures;
}

function copiesOf(what: string, { entriesLackingCopies = 0 }: StoredLedger): string[] {
  return entriesLackingCopies > 0 ? [`${what}: ${entriesLackingCopies} entries lack copies`] : [];
}

function fragmentsOf(what: string, { fragments = [], ensembleSize }: StoredLedger): string[] {
  return fragments.flatMap(({ firstEntryId, bookies }, i) => {
    const before = fragments[i - 1];
    const failures: string[] = [];
    if (new Set(bookies).size !== ensembleSize) failures.push(`${what}: a fragment on ${bookies.join(", ")}`);
    if (before !== undefined && before.firstEntryId >= firstEntryId) {
      failures.push(`${what}: a fragment from ${firstEntryId} on behind one from ${before.firstEntryId} on`);
    }
    return failures;
  });
}
