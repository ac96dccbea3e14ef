import { type Append, placeOf, type StorageHistory } from "./storage-history.ts";

/** Answers what is wrong, one line each. */
type StorageChecker = (
  history: StorageHistory,
  plan: { ledger: { ackQuorum: number }; rotting: number | undefined },
) => string[];

function textsByPlace(history: StorageHistory, log: string): Map<string, string> {
  return new Map((history.kept.get(log) ?? []).map((entry) => [placeOf(entry), entry.text]));
}

function firstLedgerOf(history: StorageHistory, log: string): number {
  return history.ledgers.get(log)?.[0]?.ledgerId ?? Number.POSITIVE_INFINITY;
}

function storedOf(history: StorageHistory, log: string): (Append & { outcome: { kind: "stored" } })[] {
  return history.appends.filter((a) => a.log === log && a.outcome.kind === "stored") as never;
}

/** What was acknowledged is where its owner was told, unless the cursor was asked to let it go and retention allowed it. */
const acknowledgedIsKept: StorageChecker = (history) =>
  [...history.kept.keys()].flatMap((log) => {
    const texts = textsByPlace(history, log);
    const first = firstLedgerOf(history, log);
    const asked = history.asked.get(log);
    return storedOf(history, log).flatMap(({ text, outcome }) => {
      const found = texts.get(outcome.place);
      if (found === text) return [];
      if (found === undefined && outcome.ledgerId < first && asked?.has(outcome.place)) return [];
      return [`${log}: ${text} was acknowledged at ${outcome.place}, where there is ${found ?? "nothing"}`];
    });
  });

/** What anybody read, however early, is in the log in the end. */
const readIsKept: StorageChecker = (history) =>
  [...history.kept.keys()].flatMap((log) => {
    const texts = textsByPlace(history, log);
    const first = firstLedgerOf(history, log);
    return history.reads
      .filter((read) => read.log === log)
      .flatMap(({ place, text, tenure }) => {
        const found = texts.get(place);
        if (found === text || (found === undefined && Number(place.split(":")[0]) < first)) return [];
        return [`${log}: ${tenure} read ${text} at ${place}, where there is ${found ?? "nothing"}`];
      });
  });

/** Each owner's entries stand in the order of its calls, once. */
const ownersKeepTheirOrder: StorageChecker = (history) =>
  [...history.kept].flatMap(([log, kept]) => {
    const last = new Map<string, number>();
    return kept.flatMap(({ text }) => {
      const at = text.lastIndexOf("/");
      const [tenure, number] = [text.slice(0, at), Number(text.slice(at + 1))];
      const before = last.get(tenure) ?? -1;
      last.set(tenure, Math.max(before, number));
      return number > before ? [] : [`${log}: ${text} stands behind number ${before}`];
    });
  });

/** What a flush confirmed stays acknowledged, and nothing is acknowledged that nobody asked for. */
const cursorsRemember: StorageChecker = (history) =>
  [...history.kept].flatMap(([log, kept]) => {
    const [asked, confirmed] = [history.asked.get(log), history.confirmed.get(log)];
    return kept.flatMap((entry) => {
      const place = placeOf(entry);
      if (!entry.acknowledged && confirmed?.has(place))
        return [`${log}: ${place} was acknowledged, stored, and is not any more`];
      if (entry.acknowledged && !asked?.has(place))
        return [`${log}: ${place} is acknowledged, and nobody asked for it`];
      return [];
    });
  });

/** Ledgers rise, all but the last are closed where the list says, and no entry of one is missing. */
const listAgreesWithLedgers: StorageChecker = (history) =>
  [...history.ledgers].flatMap(([log, ledgers]) =>
    ledgers.flatMap(({ ledgerId, listedEntries, closedInList, state, lastEntryId }, i) => {
      const what = `${log}: ledger ${ledgerId}`;
      const before = ledgers[i - 1];
      if (before !== undefined && before.ledgerId >= ledgerId) return [`${what} comes behind ${before.ledgerId}`];
      if (state === undefined) return [`${what} is listed and not there`];
      if (i === ledgers.length - 1 && !closedInList) return [];
      if (state !== "CLOSED") return [`${what} is ${state} and not the last`];
      const held = (history.kept.get(log) ?? []).filter((entry) => entry.ledgerId === ledgerId).length;
      if ((lastEntryId ?? -1) + 1 !== listedEntries)
        return [`${what} ends at ${lastEntryId}, listed with ${listedEntries}`];
      return held === listedEntries ? [] : [`${what} has ${listedEntries} entries, of which ${held} can be read`];
    }),
  );

/** No ledger belongs to two logs, or to a log and a cursor. */
const ledgersHaveOneOwner: StorageChecker = (history) => {
  const owner = new Map<number, string>();
  const failures: string[] = [];
  const claim = (ledgerId: number, by: string): void => {
    const before = owner.get(ledgerId);
    if (before !== undefined) failures.push(`ledger ${ledgerId} is in the list of ${before} and in that of ${by}`);
    owner.set(ledgerId, by);
  };
  for (const [log, ledgers] of history.ledgers) for (const { ledgerId } of ledgers) claim(ledgerId, log);
  for (const [log, ids] of history.cursorLedgers) for (const id of ids) claim(id, `the cursor of ${log}`);
  return failures;
};

/** Every entry of the log is on as many bookies as had to confirm it; one less where a disk rots. */
const entriesHaveTheirCopies: StorageChecker = (history, { ledger, rotting }) => {
  const wanted = ledger.ackQuorum - (rotting === undefined ? 0 : 1);
  return [...history.kept].flatMap(([log, kept]) =>
    kept
      .filter(({ copies }) => copies < wanted)
      .map((entry) => `${log}: ${placeOf(entry)} has ${entry.copies} copies, ${wanted} confirmed it`),
  );
};

/** A ledger's state only goes forward, its end is set once, its id given once. */
const metadataGoesForward: StorageChecker = ({ metadataBreaches }) => metadataBreaches;

/** A crash takes what was not synced, and leaves nothing that cannot be read. */
const crashesLeaveNoDamage: StorageChecker = ({ damage }) => damage;

/** Metadata and disks hold nothing in the end that belongs to nothing. */
const nothingIsOrphaned: StorageChecker = ({ orphans }) => orphans;

const CHECKERS: Readonly<Record<string, StorageChecker>> = {
  acknowledgedIsKept,
  readIsKept,
  ownersKeepTheirOrder,
  cursorsRemember,
  listAgreesWithLedgers,
  ledgersHaveOneOwner,
  entriesHaveTheirCopies,
  metadataGoesForward,
  crashesLeaveNoDamage,
  nothingIsOrphaned,
};

const FAILURES_MAX = 3;

/** What is wrong: a line for each failure, with the name of the checker that found it. */
export function checkStorage(history: StorageHistory, plan: Parameters<StorageChecker>[1]): string[] {
  return Object.entries(CHECKERS).flatMap(([name, checker]) => {
    const failures = checker(history, plan);
    const told = failures.slice(0, FAILURES_MAX).map((failure) => `${name}: ${failure}`);
    return failures.length > told.length ? [...told, `${name}: and ${failures.length - told.length} more`] : told;
  });
}
