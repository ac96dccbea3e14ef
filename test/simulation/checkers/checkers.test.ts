import { expect, test } from "vitest";
import { History, type Place, type Seen } from "../history.ts";
import { check } from "./index.ts";

const TOPIC = "t";
const place = (entryId: number): Place => ({ ledgerId: 1, entryId, batchIndex: -1 });
const seen = (entryId: number, text: string, atMs = 0): Seen => ({
  topic: TOPIC,
  place: place(entryId),
  text,
  key: "k",
  atMs,
});

/** Three messages, sent, stored, followed, and delivered to a subscription of each type. */
function blameless(): History {
  const history = new History();
  const log = ["a", "b", "c"].map((text, i) => seen(i, text));
  history.logs.set(TOPIC, log);
  const closed = { state: "CLOSED", ensembleSize: 2, fragments: [{ firstEntryId: 0, bookies: ["x", "y"] }] } as const;
  history.ledgers.set(TOPIC, [
    { ...closed, ledgerId: 1, listedEntries: 3, lastEntryId: 2 },
    { ...closed, ledgerId: 2, listedEntries: 0, state: "OPEN" },
  ]);
  history.followed.set("reader", [...log]);
  for (const { text, place } of log) {
    const outcome = { kind: "stored", place } as const;
    history.sent.push({ topic: TOPIC, producer: "p", text, key: "k", lane: "p", outcome });
  }
  for (const subscription of ["sub-Exclusive", "sub-Failover", "sub-Shared", "sub-Key_Shared"]) {
    for (const entry of log) history.delivered.push({ ...entry, subscription, consumer: "c" });
  }
  return history;
}

function failuresOf(spoil: (history: History) => void): string[] {
  const history = blameless();
  spoil(history);
  const names = check(history, { deduplication: true }).map((line) => line.slice(0, line.indexOf(":")));
  return [...new Set(names)];
}

const logOf = (history: History): Seen[] => history.logs.get(TOPIC) ?? [];

test("nothing is found where nothing is wrong", () => {
  expect(failuresOf(() => undefined)).toEqual([]);
});

test.each<[string, string[], (history: History) => void]>([
  [
    "a send that was never settled",
    ["sendsSettle"],
    (h) => Object.assign(h.sent[2] ?? {}, { outcome: { kind: "pending" } }),
  ],
  [
    "an acknowledged message that is gone",
    ["acknowledgedIsStored", "readersSeeOneSequence", "deliveredIsStored", "metadataIsSound"],
    (h) => void logOf(h).pop(),
  ],
  [
    "an acknowledged message elsewhere than told",
    ["acknowledgedIsStored"],
    (h) => Object.assign(h.sent[0] ?? {}, { outcome: { kind: "stored", place: place(1) } }),
  ],
  [
    "a message that was told to be there already and is not",
    ["acknowledgedIsStored"],
    (h) =>
      void h.sent.push({
        ...(h.sent[0] as History["sent"][number]),
        text: "d",
        outcome: { kind: "stored", place: { ledgerId: -1, entryId: -1, batchIndex: -1 } },
      }),
  ],
  ["a message that nobody sent", ["logIsWhatWasSent"], (h) => void h.sent.shift()],
  [
    "messages in another order than sent",
    ["producersKeepTheirOrder"],
    (h) => void h.sent.splice(0, 2, h.sent[1] as never, h.sent[0] as never),
  ],
  [
    "a message that is stored twice",
    ["readersSeeOneSequence", "everythingIsDelivered", "metadataIsSound", "nothingIsStoredTwice"],
    (h) => void logOf(h).push(seen(3, "a")),
  ],
  [
    "a reader that skipped one",
    ["readersSeeOneSequence"],
    (h) => void h.followed.set("reader", logOf(h).toSpliced(1, 1)),
  ],
  [
    "a reader that saw one twice",
    ["readersSeeOneSequence"],
    (h) => void h.followed.get("reader")?.splice(1, 0, seen(0, "a")),
  ],
  [
    "a delivery of what is not in the log",
    ["deliveredIsStored"],
    (h) => void h.delivered.push({ ...seen(7, "x"), subscription: "sub-Shared", consumer: "c" }),
  ],
  ["a message that a subscription never got", ["everythingIsDelivered"], (h) => void h.delivered.pop()],
  ["an Exclusive consumer that got them in another order", ["firstDeliveriesAreInOrder"], (h) => swap(h, 0)],
  ["a Failover consumer that got them in another order", ["firstDeliveriesAreInOrder"], (h) => swap(h, 3)],
  ["a key whose messages came in another order", ["keysAreInOrder"], (h) => swap(h, 9)],
  ["an entry without all its copies", ["metadataIsSound"], (h) => spoilLedger(h, { entriesLackingCopies: 1 })],
  [
    "a confirmed acknowledgement that a new consumer is not spared",
    ["confirmedStaysAcknowledged"],
    (h) => {
      h.receipts.push({ topic: TOPIC, subscription: "sub-Shared", place: place(0), atMs: 1_000 });
      h.delivered.push({ ...seen(0, "a", 1_500), subscription: "sub-Shared", consumer: "c", openedMs: 1_200 });
    },
  ],
  [
    "a confirmed acknowledgement that was forgotten",
    ["confirmedStaysAcknowledged"],
    (h) => {
      h.receipts.push({ topic: TOPIC, subscription: "sub-Shared", place: place(0), atMs: 1_000 });
      h.delivered.push({ ...seen(0, "a", 30_000), subscription: "sub-Shared", consumer: "c" });
    },
  ],
  ["a ledger that is listed and gone", ["metadataIsSound"], (h) => spoilLedger(h, { state: undefined })],
  ["a ledger left open", ["metadataIsSound"], (h) => spoilLedger(h, { state: "OPEN" })],
  ["a ledger whose end is elsewhere than listed", ["metadataIsSound"], (h) => spoilLedger(h, { lastEntryId: 1 })],
  [
    "an entry that is there and never read",
    ["metadataIsSound"],
    (h) => spoilLedger(h, { lastEntryId: 3, listedEntries: 4 }),
  ],
  [
    "a fragment with a bookie twice",
    ["metadataIsSound"],
    (h) => spoilLedger(h, { fragments: [{ firstEntryId: 0, bookies: ["x", "x"] }] }),
  ],
  [
    "ledgers in disorder",
    ["metadataIsSound"],
    (h) => spoilLedger(h, { ledgerId: 9, listedEntries: 0, lastEntryId: -1 }),
  ],
])("%s is found", (_, found, spoil) => {
  expect(failuresOf(spoil)).toEqual(found);
});

test("a Shared subscription may get messages in any order, and a second time", () => {
  expect(
    failuresOf((h) => {
      swap(h, 6);
      h.delivered.push({ ...seen(0, "a"), subscription: "sub-Shared", consumer: "c" });
    }),
  ).toEqual([]);
});

function spoilLedger(history: History, more: object): void {
  Object.assign(history.ledgers.get(TOPIC)?.[0] ?? {}, more);
}

function swap(history: History, at: number): void {
  const { delivered } = history;
  delivered.splice(at, 2, delivered[at + 1] as never, delivered[at] as never);
}
