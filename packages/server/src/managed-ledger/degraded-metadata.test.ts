import { createSeededRandom } from "@pulsewire/runtime";
import { describe, expect, it } from "vitest";
import { createBookKeeperClient } from "../bookkeeper/client/bookkeeper-client.ts";
import type { ManagedCursor, ManagedLedger, ManagedLedgerOptions } from "./managed-ledger.ts";
import { createManagedLedgerFactory } from "./managed-ledger-factory.ts";
import type { Position } from "./position.ts";
import { append, appendMany, StorageFixture, textOf } from "./storage-fixture.ts";

interface Loaded {
  fixture: StorageFixture;
  ledger: ManagedLedger;
  cursor: ManagedCursor;
}

/** A managed ledger with a subscription and some entries; then the metadata store is away. */
async function loaded(options: ManagedLedgerOptions = {}): Promise<Loaded & { at: Position[] }> {
  const fixture = await StorageFixture.start();
  const ledger = await fixture.open(options);
  const cursor = await ledger.openCursor("sub", { initialPosition: "earliest" });
  const at = await appendMany(ledger, 5);
  fixture.metadata.available = false;
  return { fixture, ledger, cursor, at };
}

const unavailable = { code: "MetadataUnavailable", message: expect.stringContaining("cannot be reached") };

describe("while the metadata store is away", () => {
  it("entries are appended to the open ledger and read", async () => {
    const { ledger, cursor } = await loaded();
    await appendMany(ledger, 100, "more");
    const texts = (await cursor.read(1_000, 1e9)).map((entry) => textOf(entry.data));
    expect(texts).toHaveLength(105);
    expect(texts.at(-1)).toBe("more99");
  });

  it("a full ledger takes more than it should, and is followed by the next once the store is back", async () => {
    const { fixture, ledger } = await loaded({ maxEntriesPerLedger: 10, minRolloverMs: 0 });
    await appendMany(ledger, 50);
    expect(ledger.ledgers).toHaveLength(1);
    fixture.metadata.available = true;
    await fixture.clock.advance(10_000);
    await append(ledger, "x");
    await append(ledger, "y");
    expect(ledger.ledgers.length).toBeGreaterThan(1);
    expect(ledger.entryCount).toBe(57);
  });

  it("a rollover that is asked for fails, says why, and succeeds afterwards; appends go on either way", async () => {
    const { fixture, ledger } = await loaded();
    await expect(ledger.rollover()).rejects.toMatchObject(unavailable);
    await append(ledger, "between");
    fixture.metadata.available = true;
    await ledger.rollover();
    await append(ledger, "after");
    expect(ledger.ledgers).toHaveLength(2);
    expect(ledger.entryCount).toBe(7);
  });

  it("no managed ledger is opened, and the same one is afterwards", async () => {
    const { fixture } = await loaded();
    const { factory } = fixture.node();
    await expect(factory.open("public/default/persistent/other")).rejects.toMatchObject({
      code: "MetadataUnavailable",
    });
    fixture.metadata.available = true;
    const other = await factory.open("public/default/persistent/other");
    await append(other, "a");
    expect(other.entryCount).toBe(1);
  });

  it("no subscription is made, and the same one is afterwards", async () => {
    const { fixture, ledger } = await loaded();
    await expect(ledger.openCursor("new")).rejects.toMatchObject(unavailable);
    expect(ledger.cursors.has("new")).toBe(false);
    fixture.metadata.available = true;
    const cursor = await ledger.openCursor("new", { initialPosition: "earliest" });
    expect(cursor.backlogEntries).toBe(5);
  });

  it("acknowledgements are stored in the cursor's own ledger", async () => {
    const fixture = await StorageFixture.start();
    const ledger = await fixture.open();
    const cursor = await ledger.openCursor("sub", { initialPosition: "earliest" });
    const at = await appendMany(ledger, 10);
    cursor.acknowledge(at[0] as Position);
    await cursor.flush();
    fixture.metadata.available = false;
    cursor.acknowledge(at[1] as Position);
    await cursor.flush();
    fixture.metadata.available = true;
    const next = await fixture.open();
    expect(next.cursors.get("sub")?.markDeleted).toEqual(at[1]);
  });

  it("a cursor that needs another ledger is not stored, says so, and is once the store is back", async () => {
    const fixture = await StorageFixture.start();
    const options = { cursorMaxEntriesPerLedger: 2, cursorPersistIntervalMs: 1_000 };
    const ledger = await fixture.open(options);
    const cursor = await ledger.openCursor("sub", { initialPosition: "earliest" });
    const at = await appendMany(ledger, 10);
    for (const i of [0, 1]) {
      cursor.acknowledge(at[i] as Position);
      await cursor.flush();
    }
    fixture.metadata.available = false;
    cursor.acknowledge(at[2] as Position);
    await expect(cursor.flush()).rejects.toMatchObject(unavailable);
    cursor.acknowledge(at[3] as Position);
    await fixture.clock.advance(10_000);
    // what it holds in memory is right meanwhile
    expect(cursor.markDeleted).toEqual(at[3]);
    fixture.metadata.available = true;
    await fixture.clock.advance(2_000);
    const next = await fixture.open(options);
    expect(next.cursors.get("sub")?.markDeleted).toEqual(at[3]);
  });

  it("nothing is trimmed, and it is afterwards", async () => {
    const fixture = await StorageFixture.start();
    const ledger = await fixture.open();
    const cursor = await ledger.openCursor("sub", { initialPosition: "earliest" });
    await appendMany(ledger, 5);
    await ledger.rollover();
    fixture.metadata.available = false;
    cursor.clearBacklog();
    await expect(ledger.trim()).rejects.toMatchObject(unavailable);
    expect(ledger.entryCount).toBe(5);
    fixture.metadata.available = true;
    await ledger.trim();
    expect(ledger.entryCount).toBe(0);
  });
});

describe("while the metadata store is slow", () => {
  const SLOW_MS = 2_000;

  /** A managed ledger of a node each of whose requests to the metadata store takes two seconds once `slow` is set. */
  async function startSlow(options: ManagedLedgerOptions) {
    const fixture = await StorageFixture.start();
    const { clock, messenger } = fixture;
    const state = { slow: false };
    const session = fixture.metadata.session();
    const metadata = new Proxy(session, {
      get(target, name) {
        const value: unknown = Reflect.get(target, name, target);
        if (typeof value !== "function") return value;
        const asked = ["get", "exists", "put", "delete", "children", "nextSequence"].includes(String(name));
        return async (...args: unknown[]) => {
          if (asked && state.slow) await new Promise<void>((resolve) => clock.setTimer(SLOW_MS, resolve));
          return value.apply(target, args);
        };
      },
    });
    // what is watched is watched at once
    const link = Object.assign(Object.create(metadata), {
      watch: session.watch.bind(session),
      onSessionExpired: session.onSessionExpired.bind(session),
    });
    const bookkeeper = createBookKeeperClient({
      clock,
      random: createSeededRandom(1),
      messenger,
      metadata: link,
      nodeId: "slow",
    });
    const factory = createManagedLedgerFactory({ clock, bookkeeper, metadata: link });
    const ledger = await factory.open("public/default/persistent/t", options);
    return { fixture, ledger, state };
  }

  it("entries of the open ledger are acknowledged at once, and a rollover, a subscription and its cursor wait", async () => {
    const { fixture, ledger, state } = await startSlow({});
    await append(ledger, "before");
    state.slow = true;
    const done: string[] = [];
    const subscribing = ledger.openCursor("new", { initialPosition: "earliest" }).then((cursor) => {
      done.push("subscribed");
      return cursor;
    });
    await appendMany(ledger, 10);
    expect(done).toEqual([]);
    await fixture.clock.advance(2 * SLOW_MS);
    expect(done).toEqual(["subscribed"]);
    const rolling = ledger.rollover().then(() => done.push("rolled over"));
    const during = append(ledger, "during").then(() => done.push("appended"));
    await fixture.clock.advance(SLOW_MS);
    expect(done).toEqual(["subscribed"]);
    await fixture.clock.advance(10 * SLOW_MS);
    await Promise.all([rolling, during]);
    expect(new Set(done)).toEqual(new Set(["subscribed", "rolled over", "appended"]));
    expect(ledger.ledgers).toHaveLength(2);
    expect((await subscribing).backlogEntries).toBe(12);
  });
});
