import { deferred } from "@pulsewire/runtime";
import { createNodeRuntime } from "@pulsewire/runtime/node";
import fc from "fast-check";
import { expect, test } from "vitest";
import type { MetadataStore } from "../../metadata/metadata-store.ts";
import type { AckSet, ManagedCursor, ManagedLedger } from "../managed-ledger.ts";
import { createManagedLedgerFactory } from "../managed-ledger-factory.ts";
import { comparePositions, formatPosition, type Position } from "../position.ts";
import { append, appendMany, StorageFixture, textOf } from "../storage-fixture.ts";

const SMALL = { minRolloverMs: 0, maxEntriesPerLedger: 10, retentionMs: -1, retentionBytes: -1 };

async function setUp(entries: number, options = {}) {
  const fixture = await StorageFixture.start();
  const ledger = await fixture.open({ ...SMALL, ...options });
  const cursor = await ledger.openCursor("sub");
  const at = await appendMany(ledger, entries);
  return { fixture, ledger, cursor, at };
}

async function readAll(cursor: ManagedCursor): Promise<string[]> {
  const texts: string[] = [];
  while (cursor.hasMoreEntries()) for (const entry of await cursor.read(7, 1e9)) texts.push(textOf(entry.data));
  return texts;
}

const last = <T>(items: readonly T[]): T => items.at(-1) as T;

test("acknowledgements in order move the mark-delete position", async () => {
  const { cursor, at } = await setUp(3);
  for (const position of at) {
    expect(cursor.acknowledge(position)).toEqual({ completed: true, messages: 1 });
    expect(cursor.markDeleted).toEqual(position);
  }
  expect(cursor.backlogEntries).toBe(0);
  expect(cursor.acknowledge(at[1] as Position)).toEqual({ completed: false, messages: 0 });
});

test("a hole holds the mark-delete position until it is filled, over the edge of ledgers", async () => {
  const { cursor, at, ledger } = await setUp(25);
  for (const [i, position] of at.entries()) if (i !== 8) cursor.acknowledge(position);
  expect(cursor.markDeleted).toEqual(at[7]);
  expect(cursor.backlogEntries).toBe(1);
  expect(cursor.deletedRanges.map((r) => `${r.lowerExclusive.entryId}..${r.upperInclusive.entryId}`)).toEqual([
    "8..9",
    "-1..9",
    "-1..4",
  ]);
  cursor.acknowledge(at[8] as Position);
  expect(cursor.markDeleted).toEqual(at[24]);
  expect(cursor.deletedRanges).toEqual([]);
  expect(ledger.ledgers).toHaveLength(3);
});

test("reading skips what is acknowledged, and rewinding starts at the first that is not", async () => {
  const { cursor, at } = await setUp(20);
  for (const i of [0, 1, 5, 6, 7, 19]) cursor.acknowledge(at[i] as Position);
  const expected = [2, 3, 4, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18].map((i) => `m${i}`);
  expect(await readAll(cursor)).toEqual(expected);
  cursor.rewind();
  expect(cursor.readPosition).toEqual(at[2]);
  expect(await readAll(cursor)).toEqual(expected);
});

test("a read is bounded in entries and bytes, and answers one entry at least", async () => {
  const { cursor } = await setUp(5);
  expect(await cursor.read(2, 1e9)).toHaveLength(2);
  expect(await cursor.read(9, 1)).toHaveLength(1);
  expect(await cursor.read(9, 4)).toHaveLength(2);
  expect(await cursor.read(9, 4)).toHaveLength(0);
});

test("single positions are read in order, without those acknowledged or never there", async () => {
  const { cursor, at } = await setUp(20);
  cursor.acknowledge(at[4] as Position);
  const wanted = [at[12], at[4], at[3], { ledgerId: 999, entryId: 0 }, { ledgerId: last(at).ledgerId, entryId: 77 }];
  const entries = await cursor.readAt(wanted as Position[]);
  expect(entries.map((e) => textOf(e.data))).toEqual(["m3", "m12"]);
});

test("cumulative acknowledgement takes everything before it, and never goes back", async () => {
  const { cursor, at } = await setUp(25);
  cursor.acknowledge(at[13] as Position);
  cursor.acknowledgeCumulative(at[12] as Position);
  expect(cursor.markDeleted).toEqual(at[13]);
  cursor.acknowledgeCumulative(at[2] as Position);
  expect(cursor.markDeleted).toEqual(at[13]);
  expect(cursor.readPosition).toEqual(at[14]);
  cursor.acknowledgeCumulative({ ledgerId: 9_999, entryId: 9_999 });
  expect(cursor.markDeleted).toEqual(at[24]);
});

test("acknowledging what is not there yet does nothing", async () => {
  const { ledger, cursor, at } = await setUp(3);
  const next = ledger.nextPosition(last(at));
  expect(cursor.acknowledge(next)).toEqual({ completed: false, messages: 0 });
  await append(ledger, "x");
  expect(cursor.isAcknowledged(next)).toBe(false);
});

test("a batch is acknowledged index by index", async () => {
  const { cursor, at } = await setUp(2);
  const [position] = at as [Position];
  const set = (bits: number): AckSet => [{ low: bits, high: 0 }];
  expect(cursor.acknowledge(position, set(0b101), 3)).toEqual({ completed: false, messages: 1 });
  expect(cursor.ackSetOf(position)).toEqual(set(0b101));
  expect(cursor.acknowledge(position, set(0b101), 3)).toEqual({ completed: false, messages: 0 });
  expect(cursor.acknowledge(position, set(0b110), 3)).toEqual({ completed: false, messages: 1 });
  expect(cursor.ackSetOf(position)).toEqual(set(0b100));
  expect(cursor.isAcknowledged(position)).toBe(false);
  expect(cursor.acknowledge(position, set(0), 3)).toEqual({ completed: true, messages: 1 });
  expect(cursor.ackSetOf(position)).toBeUndefined();
  expect(cursor.markDeleted).toEqual(position);
});

test("a batch of more than 64 takes ack sets whose last words were cut off", async () => {
  const { cursor, at } = await setUp(1);
  const [position] = at as [Position];
  expect(cursor.acknowledge(position, [{ low: 0xffffffff, high: 0xffffffff }], 100).messages).toBe(36);
  expect(cursor.acknowledge(position, undefined, 100)).toEqual({ completed: true, messages: 64 });
});

test("a cumulative acknowledgement inside a batch leaves the rest of that batch", async () => {
  const { cursor, at } = await setUp(5);
  cursor.acknowledgeCumulative(at[2] as Position, [{ low: 0b1100, high: 0 }]);
  expect(cursor.markDeleted).toEqual(at[1]);
  expect(cursor.ackSetOf(at[2] as Position)).toEqual([{ low: 0b1100, high: 0 }]);
  expect(cursor.readPosition).toEqual(at[2]);
});

test("resetting goes back and forth and forgets what was acknowledged above", async () => {
  const { cursor, at } = await setUp(25);
  cursor.acknowledgeCumulative(at[20] as Position);
  await cursor.reset(at[10] as Position);
  expect(cursor.markDeleted).toEqual(at[9]);
  expect((await readAll(cursor))[0]).toBe("m10");
  await cursor.reset({ ledgerId: -1, entryId: -1 });
  expect((await readAll(cursor)).length).toBe(25);
  await cursor.reset({ ledgerId: 9_999, entryId: 0 });
  expect(cursor.markDeleted).toEqual(at[24]);
  expect(cursor.hasMoreEntries()).toBe(false);
});

test("skipping counts entries that are not acknowledged", async () => {
  const { cursor, at } = await setUp(15);
  for (const i of [1, 2]) cursor.acknowledge(at[i] as Position);
  cursor.skip(3);
  expect(cursor.markDeleted).toEqual(at[4]);
  cursor.skip(100);
  expect(cursor.backlogEntries).toBe(0);
});

test("a read that waits for bookies follows a cursor that is moved meanwhile", async () => {
  const fixture = await StorageFixture.start();
  const ledger = await fixture.node(0).factory.open("public/default/persistent/t", SMALL);
  const cursor = await ledger.openCursor("sub");
  const at = await appendMany(ledger, 20);
  const reading = cursor.read(3, 1e9);
  await cursor.reset(at[15] as Position);
  expect((await reading).map((e) => textOf(e.data))).toEqual(["m15", "m16", "m17"]);
  const back = cursor.read(1, 1e9);
  await cursor.reset(at[2] as Position);
  expect((await back).map((e) => textOf(e.data))).toEqual(["m2"]);
  await cursor.reset(at[18] as Position);
  const again = cursor.read(3, 1e9);
  cursor.acknowledge(at[18] as Position);
  expect((await again).map((e) => textOf(e.data))).toEqual(["m19"]);
});

test("what is acknowledged, ranges and batches too, is there for the next owner", async () => {
  const { fixture, cursor, at } = await setUp(30);
  await cursor.setProperties({ a: "1" });
  for (const i of [0, 1, 4, 5, 12, 29]) cursor.acknowledge(at[i] as Position);
  cursor.acknowledge(at[7] as Position, [{ low: 0b10, high: 0 }], 3);
  await cursor.flush();
  const next = await fixture.open(SMALL);
  const taken = next.cursors.get("sub") as ManagedCursor;
  expect(taken.markDeleted).toEqual(at[1]);
  expect(taken.deletedRanges).toEqual(cursor.deletedRanges);
  expect(taken.backlogEntries).toBe(30 - 6);
  expect(taken.ackSetOf(at[7] as Position)).toEqual([{ low: 0b10, high: 0 }]);
  expect(taken.properties).toEqual({ a: "1" });
  expect((await readAll(taken)).slice(0, 4)).toEqual(["m2", "m3", "m6", "m7"]);
});

test("closing stores the last state without waiting for its turn", async () => {
  const { fixture, ledger, cursor, at } = await setUp(5);
  cursor.acknowledge(at[0] as Position);
  await cursor.flush();
  cursor.acknowledge(at[2] as Position);
  await ledger.close();
  const next = await fixture.open(SMALL);
  const taken = next.cursors.get("sub") as ManagedCursor;
  expect(taken.isAcknowledged(at[2] as Position)).toBe(true);
});

test("a cursor stores at most once in its interval", async () => {
  const { fixture, cursor, at } = await setUp(30);
  let adds = 0;
  fixture.messenger.rule = (_from, to, message) => {
    if (to === "bookie-0" && (message as { type: string }).type === "add") adds++;
    return "pass";
  };
  for (let i = 0; i < 9; i++) {
    cursor.acknowledge(at[i] as Position);
    await fixture.clock.advance(100);
  }
  expect(adds).toBe(1);
  await fixture.clock.advance(1_000);
  expect(adds).toBe(2);
  await fixture.clock.advance(10_000);
  expect(adds).toBe(2);
});

test("what is acknowledged after a call without an answer is there for the next owner", async () => {
  for (const fate of ["lost", "answer lost"] as const) {
    const fixture = await StorageFixture.start();
    const node = fixture.unreliableNode();
    const ledger = await createManagedLedgerFactory({ clock: fixture.clock, ...node }).open("t", SMALL);
    const cursor = await ledger.openCursor("sub");
    const at = await appendMany(ledger, 5);
    node.metadata.changes = fate;
    node.metadata.changedKeys = /\/t\/sub$/;
    cursor.acknowledge(at[0] as Position);
    await expect(cursor.flush()).rejects.toMatchObject({ code: "MetadataUnavailable" });
    node.metadata.changes = "answered";
    for (const position of [at[1], at[3]]) {
      cursor.acknowledge(position as Position);
      await cursor.flush();
    }
    const next = await fixture.open(SMALL, "t");
    expect(await readAll(await next.openCursor("sub")), fate).toEqual(["m2", "m4"]);
  }
});

test("holes beyond the number that is stored are acknowledged no more under the next owner", async () => {
  const options = { maxRangesToPersist: 3, maxEntriesPerLedger: 1_000 };
  const { fixture, cursor, at } = await setUp(20, options);
  for (let i = 1; i < 20; i += 2) cursor.acknowledge(at[i] as Position);
  await cursor.flush();
  const next = await fixture.open({ ...SMALL, ...options });
  const taken = next.cursors.get("sub") as ManagedCursor;
  expect(at.map((p) => taken.isAcknowledged(p)).flatMap((acked, i) => (acked ? [i] : []))).toEqual([1, 3, 5]);
});

test("many holes outlive a takeover in the cursor's own ledger", async () => {
  const { fixture, ledger, cursor, at } = await setUp(5_000, { maxEntriesPerLedger: 10_000 });
  for (let i = 1; i < 5_000; i += 2) cursor.acknowledge(at[i] as Position);
  await ledger.close();
  const next = await fixture.open(SMALL);
  expect(next.cursors.get("sub")?.deletedRanges).toHaveLength(2_500);
  await next.close();
  const third = await fixture.open(SMALL);
  expect(third.cursors.get("sub")?.deletedRanges).toHaveLength(2_500);
});

test("an owner that was replaced can store nothing into the cursor any more", async () => {
  const { fixture, cursor, at } = await setUp(10);
  cursor.acknowledge(at[0] as Position);
  await cursor.flush();
  const next = await fixture.open(SMALL);
  cursor.acknowledge(at[5] as Position);
  await expect(cursor.flush()).rejects.toMatchObject({ code: "Fenced" });
  await next.close();
  const third = await fixture.open(SMALL);
  expect(third.cursors.get("sub")?.markDeleted).toEqual(at[0]);
  expect(third.cursors.get("sub")?.isAcknowledged(at[5] as Position)).toBe(false);
});

test("a ledger whose cursor another owner has is over, and tells once, however that was noticed", async () => {
  for (const notice of ["by a flush", "in the background"] as const) {
    const { fixture, ledger, cursor, at } = await setUp(10);
    let told = 0;
    ledger.onFenced(() => told++);
    await fixture.open(SMALL);
    cursor.acknowledge(at[5] as Position);
    if (notice === "by a flush") await expect(cursor.flush()).rejects.toMatchObject({ code: "Fenced" });
    else await fixture.clock.advance(2_000);
    expect([notice, told]).toEqual([notice, 1]);
    await expect(append(ledger, "x")).rejects.toMatchObject({ code: "Fenced" });
    await expect(cursor.flush()).rejects.toMatchObject({ code: "Fenced" });
    await fixture.clock.advance(10_000);
    expect(told).toBe(1);
  }
});

test("a ledger that was terminated tells too", async () => {
  const { fixture, ledger, cursor, at } = await setUp(10);
  let told = 0;
  ledger.onFenced(() => told++);
  await ledger.terminate();
  await fixture.open(SMALL);
  cursor.acknowledge(at[5] as Position);
  await expect(cursor.flush()).rejects.toMatchObject({ code: "Fenced" });
  expect(told).toBe(1);
});

test("nor can one that had stored nothing yet and does not know that it was replaced", async () => {
  const { fixture, cursor, at } = await setUp(5);
  const next = await fixture.open(SMALL);
  cursor.acknowledge(at[0] as Position);
  await expect(cursor.flush()).rejects.toMatchObject({ code: "Fenced" });
  await next.close();
  expect((await fixture.open(SMALL)).cursors.get("sub")?.isAcknowledged(at[0] as Position)).toBe(false);
});

test("deleting a cursor unpins its ledgers and is final", async () => {
  const { fixture, ledger } = await setUp(25, { retentionMs: 0, retentionBytes: 0 });
  expect(ledger.ledgers).toHaveLength(3);
  await ledger.deleteCursor("sub");
  await fixture.clock.settle();
  expect(ledger.ledgers).toHaveLength(1);
  await expect(ledger.deleteCursor("sub")).rejects.toMatchObject({ code: "CursorNotFound" });
  await ledger.close();
  expect((await fixture.open()).cursors.size).toBe(0);
});

test("a hundred thousand holes stay fast", async () => {
  const { cursor, at } = await setUp(200_000, { maxEntriesPerLedger: 200_001 });
  const order = at.filter((_, i) => i % 2 === 1).reverse();
  const { clock } = createNodeRuntime();
  const startMs = clock.monotonicMs();
  for (const position of order) cursor.acknowledge(position);
  // a list that is shifted at each acknowledgement takes seconds
  expect(clock.monotonicMs() - startMs).toBeLessThan(1_000);
  expect(cursor.backlogEntries).toBe(100_000);
  expect(cursor.deletedRanges).toHaveLength(100_000);
});

interface Model {
  acked: Set<string>;
  markDeleted: number;
}

function expectSame(cursor: ManagedCursor, ledger: ManagedLedger, at: readonly Position[], model: Model): void {
  while (model.acked.has(formatPosition(at[model.markDeleted + 1] ?? { ledgerId: -9, entryId: -9 })))
    model.markDeleted++;
  const before = ledger.previousPosition(at[0] as Position);
  expect(cursor.markDeleted).toEqual(model.markDeleted < 0 ? before : at[model.markDeleted]);
  expect(at.filter((p) => cursor.isAcknowledged(p)).length).toBe(model.acked.size);
  expect(cursor.backlogEntries).toBe(at.length - model.acked.size);
  expect(comparePositions(cursor.readPosition, cursor.markDeleted)).toBeGreaterThan(0);
}

test("any sequence of acknowledgements, reads, rewinds and resets agrees with a list of flags", async () => {
  const step = fc.oneof(
    { weight: 6, arbitrary: fc.record({ kind: fc.constant("ack"), at: fc.nat(39) }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant("cumulative"), at: fc.nat(39) }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant("reset"), at: fc.nat(39) }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant("takeover"), at: fc.constant(0) }) },
    { weight: 2, arbitrary: fc.record({ kind: fc.constant("read"), at: fc.nat(12) }) },
  );
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 30 }), async (steps) => {
      const fixture = await StorageFixture.start();
      let ledger = await fixture.open({ ...SMALL, maxEntriesPerLedger: 7 });
      let cursor = await ledger.openCursor("sub", { initialPosition: "earliest" });
      const at = await appendMany(ledger, 40);
      const model: Model = { acked: new Set(), markDeleted: -1 };
      for (const { kind, at: i } of steps) {
        const position = at[i] as Position;
        if (kind === "ack") {
          expect(cursor.acknowledge(position).completed).toBe(!model.acked.has(formatPosition(position)));
          model.acked.add(formatPosition(position));
        } else if (kind === "cumulative") {
          cursor.acknowledgeCumulative(position);
          for (const p of at.slice(0, i + 1)) model.acked.add(formatPosition(p));
        } else if (kind === "reset") {
          await cursor.reset(position);
          model.acked = new Set(at.slice(0, i).map(formatPosition));
          model.markDeleted = i - 1;
        } else if (kind === "takeover") {
          await ledger.close();
          ledger = await fixture.open({ ...SMALL, maxEntriesPerLedger: 7 });
          cursor = await ledger.openCursor("sub");
        } else {
          cursor.rewind();
          const unacked = at.filter((p) => !model.acked.has(formatPosition(p))).slice(0, i + 1);
          const read: Position[] = [];
          while (read.length < unacked.length) read.push(...(await cursor.read(unacked.length - read.length, 1e9)));
          expect(read.map(formatPosition)).toEqual(unacked.map(formatPosition));
        }
        expectSame(cursor, ledger, at, model);
      }
    }),
    { numRuns: 60 },
  );
});

test("a cursor goes on in another ledger once its own is large or old, and nothing is lost by that", async () => {
  const options = { cursorMaxEntriesPerLedger: 5, cursorRolloverMs: 60_000, cursorPersistIntervalMs: 0 };
  const { fixture, cursor, at } = await setUp(30, options);
  const ledgersSeen = new Set<number>();
  const cursorLedger = async (): Promise<number> => {
    const found = await fixture.metadata.session().get("/managed-ledgers/public/default/persistent/t/sub");
    return JSON.parse(new TextDecoder().decode(found?.value)).cursorsLedgerId as number;
  };
  for (let i = 0; i < 12; i++) {
    cursor.acknowledge(at[i * 2] as Position);
    await cursor.flush();
    ledgersSeen.add(await cursorLedger());
  }
  expect(ledgersSeen.size).toBe(3);
  await fixture.clock.advance(60_000);
  cursor.acknowledge(at[25] as Position);
  await cursor.flush();
  ledgersSeen.add(await cursorLedger());
  expect(ledgersSeen.size).toBe(4);
  const next = await fixture.open({ ...SMALL, ...options });
  expect(next.cursors.get("sub")?.isAcknowledged(at[22] as Position)).toBe(true);
  expect(next.cursors.get("sub")?.isAcknowledged(at[25] as Position)).toBe(true);
});

test("an owner on its way out opens no cursor: it would take it from the next owner", async () => {
  const { ledger, fixture, at } = await setUp(3);
  const closing = ledger.close();
  await expect(ledger.openCursor("sub")).rejects.toMatchObject({ code: "Closed" });
  await closing;
  const next = await fixture.open(SMALL);
  await expect(ledger.openCursor("sub")).rejects.toMatchObject({ code: "Closed" });
  await expect(ledger.openCursor("another")).rejects.toMatchObject({ code: "Closed" });
  const taken = next.cursors.get("sub") as ManagedCursor;
  taken.acknowledge(at[0] as Position);
  await taken.flush();
});

test("a ledger waits for cursors that are being opened before it is closed", async () => {
  const fixture = await StorageFixture.start();
  const { bookkeeper, metadata } = fixture.node();
  const steps: string[] = [];
  const hold = deferred<void>();
  const slow = new Proxy(metadata, {
    get: (store, name: keyof MetadataStore) => {
      const value: unknown = Reflect.get(store, name, store);
      if (typeof value !== "function") return value;
      if (name !== "put") return value.bind(store);
      return async (key: string, ...rest: unknown[]) => {
        if (key.endsWith("/late")) await hold.promise;
        return value.call(store, key, ...rest);
      };
    },
  });
  const factory = createManagedLedgerFactory({ clock: fixture.clock, bookkeeper, metadata: slow });
  const ledger = await factory.open("t", SMALL);
  const opening = ledger.openCursor("late").then(() => steps.push("opened"));
  const closing = ledger.close().then(() => steps.push("closed"));
  await fixture.clock.settle();
  expect(steps).toEqual([]);
  hold.resolve();
  await Promise.all([opening, closing]);
  expect(steps).toEqual(["opened", "closed"]);
});

test("an acknowledgement after a cursor was closed is not said to be stored", async () => {
  const { cursor, at } = await setUp(3);
  cursor.acknowledge(at[0] as Position);
  await cursor.close();
  await cursor.flush();
  cursor.acknowledge(at[1] as Position);
  await expect(cursor.flush()).rejects.toMatchObject({ code: "Closed" });
});
