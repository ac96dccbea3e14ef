import { describe, expect, it } from "vitest";
import { BookKeeperFixture, bytesOf, textOf } from "../bookkeeper-fixture.ts";
import type { BookKeeperClientSettings } from "./client-settings.ts";
import type { LedgerReader } from "./ledger-reader.ts";
import type { LedgerWriter } from "./ledger-writer.ts";

const SLOW_MS = 800;
const FAST_MS = 1;

/** Bookies that answer in a millisecond each way, but for one. */
async function startWithSlow(
  slow: string | undefined,
  bookies: number,
  settings: Partial<BookKeeperClientSettings> = {},
) {
  const fixture = await BookKeeperFixture.start(bookies);
  fixture.messenger.delayMs = (from, to) => (from === slow || to === slow ? SLOW_MS / 2 : FAST_MS / 2);
  return { fixture, ...fixture.node(settings) };
}

function p99(times: readonly number[]): number {
  return [...times].sort((a, b) => a - b)[Math.floor(times.length * 0.99)] as number;
}

/** How long each entry took to be acknowledged, one after another, in ms. */
async function writeTimes(fixture: BookKeeperFixture, writer: LedgerWriter, count: number): Promise<number[]> {
  const times: number[] = [];
  for (let i = 0; i < count; i++) {
    const sinceMs = fixture.clock.monotonicMs();
    let tookMs: number | undefined;
    writer.append(bytesOf(`e${i}`), {
      onAdded: () => {
        tookMs = fixture.clock.monotonicMs() - sinceMs;
      },
      onAddFailed: (error) => {
        throw error;
      },
    });
    while (tookMs === undefined) await fixture.clock.advance(1);
    times.push(tookMs);
  }
  return times;
}

async function readTimes(fixture: BookKeeperFixture, reader: LedgerReader, count: number): Promise<number[]> {
  const times: number[] = [];
  for (let i = 0; i < count; i++) {
    const sinceMs = fixture.clock.monotonicMs();
    let text: string | undefined;
    void reader.read(i, i).then(([entry]) => {
      text = textOf(entry?.payload ?? bytesOf(""));
    });
    while (text === undefined) await fixture.clock.advance(1);
    expect(text).toBe(`e${i}`);
    times.push(fixture.clock.monotonicMs() - sinceMs);
  }
  return times;
}

const QUORUM = { ensembleSize: 3, writeQuorum: 3, ackQuorum: 2 };

describe("while one bookie of three is slow", () => {
  it("entries are acknowledged as fast as ever, since two of three do", async () => {
    const { fixture, bookkeeper } = await startWithSlow("bookie-1", 3);
    const writer = await bookkeeper.createLedger(QUORUM);
    expect(p99(await writeTimes(fixture, writer, 200))).toBeLessThanOrEqual(2);
  });

  it("reads ask another copy once one is late, and then the slow bookie last", async () => {
    const { fixture, bookkeeper } = await startWithSlow("bookie-1", 3, {
      bookkeeperClientSpeculativeReadTimeoutInMillis: 20,
    });
    const writer = await bookkeeper.createLedger(QUORUM);
    await writeTimes(fixture, writer, 200);
    const times = await readTimes(fixture, bookkeeper.readerOf(writer), 200);
    expect(Math.max(...times)).toBeLessThanOrEqual(25);
    expect(p99(times)).toBeLessThanOrEqual(2);
    expect(bookkeeper.pool.statistics.speculativeReads).toBeGreaterThan(0);
  });

  it("reads wait for it where that is switched off", async () => {
    const { fixture, bookkeeper } = await startWithSlow("bookie-1", 3, {
      bookkeeperClientSpeculativeReadTimeoutInMillis: 0,
    });
    const writer = await bookkeeper.createLedger(QUORUM);
    await writeTimes(fixture, writer, 30);
    expect(p99(await readTimes(fixture, bookkeeper.readerOf(writer), 30))).toBeGreaterThanOrEqual(SLOW_MS);
  });
});

describe("where every copy has to be confirmed", () => {
  const ALL = { ensembleSize: 2, writeQuorum: 2, ackQuorum: 2 };

  it("another bookie takes the place of a slow one: one entry is late, the others are not", async () => {
    const { fixture, bookkeeper } = await startWithSlow("bookie-1", 3, {
      bookkeeperClientSpeculativeWriteTimeoutInMillis: 50,
    });
    let writer = await bookkeeper.createLedger(ALL);
    while (!writer.metadata.fragments[0]?.bookies.includes("bookie-1")) writer = await bookkeeper.createLedger(ALL);
    const times = await writeTimes(fixture, writer, 200);
    expect(Math.max(...times)).toBeLessThanOrEqual(55);
    expect(p99(times)).toBeLessThanOrEqual(2);
    expect(writer.metadata.fragments.at(-1)?.bookies).not.toContain("bookie-1");
    // and it is in no new ensemble as long as it is in quarantine
    await fixture.clock.advance(10_000);
    for (let i = 0; i < 5; i++) {
      expect((await bookkeeper.createLedger(ALL)).metadata.fragments[0]?.bookies).not.toContain("bookie-1");
    }
  });

  it("a slow one stays where there is no other, and nothing is lost", async () => {
    const { fixture, bookkeeper } = await startWithSlow("bookie-1", 2, {
      bookkeeperClientSpeculativeWriteTimeoutInMillis: 50,
    });
    const writer = await bookkeeper.createLedger(ALL);
    const times = await writeTimes(fixture, writer, 5);
    expect(Math.max(...times)).toBeGreaterThanOrEqual(SLOW_MS);
    expect(writer.failure).toBeUndefined();
    expect(writer.lastConfirmed).toBe(4);
  });

  it("a ledger is given up whose entries are not confirmed within addEntryQuorumTimeoutSec", async () => {
    const { fixture, bookkeeper } = await startWithSlow(undefined, 2, {
      addEntryQuorumTimeoutSec: 2,
      bookkeeperClientTimeoutInSeconds: 60,
    });
    const writer = await bookkeeper.createLedger(ALL);
    const [first] = await writeTimes(fixture, writer, 1);
    expect(first).toBeLessThanOrEqual(2);
    fixture.messenger.rule = (_from, to) => (to === "bookie-0" ? "lose" : "pass");
    const codes: string[] = [];
    writer.append(bytesOf("x"), { onAdded: () => codes.push("added"), onAddFailed: ({ code }) => codes.push(code) });
    await fixture.clock.advance(1_900);
    expect(codes).toEqual([]);
    await fixture.clock.advance(2_200);
    expect(codes).toEqual(["AddQuorumTimeout"]);
  });
});

describe("a copy that is broken", () => {
  it("is not served, and is given to its bookie again from another", async () => {
    const fixture = await BookKeeperFixture.start(3);
    const { bookkeeper } = fixture.node();
    const writer = await bookkeeper.createLedger(QUORUM);
    await writeTimes(fixture, writer, 6);
    await writer.close();
    const { ledgerId } = writer;
    const [first = "", second = ""] = writer.metadata.fragments[0]?.bookies ?? [];
    const storageOf = (id: string) => fixture.bookies.find((bookie) => bookie.id === id)?.storage;
    const stored = storageOf(first)?.read(ledgerId, 3) as { payload: Uint8Array };
    const broken = { ...stored, payload: bytesOf("broken") } as never;
    for (const id of [first, second]) storageOf(id)?.add([broken], true, { onStored: () => undefined });
    const reader = await fixture.node().bookkeeper.openLedger(ledgerId);
    expect((await reader.read(0, 5)).map(({ payload }) => textOf(payload))).toEqual([
      "e0",
      "e1",
      "e2",
      "e3",
      "e4",
      "e5",
    ]);
    await fixture.clock.settle();
    for (const id of [first, second]) {
      const copy = storageOf(id)?.read(ledgerId, 3) as { payload: Uint8Array };
      expect(textOf(copy.payload)).toBe("e3");
    }
  });
});
