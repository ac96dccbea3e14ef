import { createSeededRandom, deferred } from "@pulsewire/runtime";
import { beforeEach, describe, expect, it } from "vitest";
import { createBookKeeperClient } from "../bookkeeper/index.ts";
import { OrphanCollector, type OrphansFound } from "../bookkeeper/recovery/orphan-collector.ts";
import { RecoveryStatistics } from "../bookkeeper/recovery/recovery-statistics.ts";
import { UnderReplication } from "../bookkeeper/recovery/under-replication.ts";
import { ledgerKey } from "../bookkeeper/wire/ledger-key.ts";
import { UnreliableMetadata } from "../metadata/unreliable-metadata-fixture.ts";
import { createLedgerLists } from "./ledger-lists.ts";
import { createManagedLedgerFactory } from "./managed-ledger-factory.ts";
import { append, appendMany, StorageFixture } from "./storage-fixture.ts";

const GRACE_MS = 10_000;
const NAME = "public/default/persistent/t";
const QUORUM = { ensembleSize: 3, writeQuorum: 3, ackQuorum: 2 };
const KEEP_ALL = { minRolloverMs: 0, retentionMs: -1, retentionBytes: -1 };
const PROPERTIES = { application: "pulsar", component: "managed-ledger", "pulsar/managed-ledger": NAME };

/** A factory whose metadata can be held up, and the collector of another node. */
class OrphanFixture extends StorageFixture {
  readonly statistics = new RecoveryStatistics();
  readonly looker = this.node();
  readonly collector = this.newCollector();

  static override async start(): Promise<OrphanFixture> {
    const fixture = new OrphanFixture();
    await fixture.addBookies(3);
    return fixture;
  }

  newCollector(): OrphanCollector {
    const { clock, statistics } = this;
    const { bookkeeper, metadata } = this.looker;
    const lists = createLedgerLists(metadata);
    const settings = { orphanLedgerGracePeriod: GRACE_MS };
    const marks = new UnderReplication(metadata);
    return new OrphanCollector({ clock, bookkeeper, marks, lists, settings, statistics });
  }

  owner(nodeId = "owner") {
    const { clock, messenger } = this;
    const metadata = new UnreliableMetadata(this.metadata.session());
    const random = createSeededRandom(7);
    const bookkeeper = createBookKeeperClient({ clock, random, messenger, metadata, nodeId });
    const factory = createManagedLedgerFactory({ clock, bookkeeper, metadata });
    return { metadata, factory, bookkeeper };
  }

  /** Two looks that are far enough from each other. */
  async lookTwice(): Promise<OrphansFound> {
    await this.collector.collect();
    await this.clock.advance(GRACE_MS);
    return this.collector.collect();
  }

  ledgers(): Promise<number[]> {
    return this.looker.bookkeeper.listLedgers();
  }
}

let fixture: OrphanFixture;
beforeEach(async () => {
  fixture = await OrphanFixture.start();
});

describe("a ledger that nobody lists", () => {
  it("is deleted, from metadata and from bookies, after a second look", async () => {
    const { bookkeeper } = fixture.owner();
    const { ledgerId } = await bookkeeper.createLedger({ ...QUORUM, properties: PROPERTIES });
    expect(await fixture.collector.collect()).toEqual({ waiting: 1, deleted: 0 });
    await fixture.clock.advance(GRACE_MS - 1);
    expect(await fixture.collector.collect()).toEqual({ waiting: 1, deleted: 0 });
    await fixture.clock.advance(1);
    expect(await fixture.collector.collect()).toEqual({ waiting: 0, deleted: 1 });
    expect(await fixture.ledgers()).not.toContain(ledgerId);
    expect(fixture.statistics).toMatchObject({
      auditor_NUM_ORPHAN_LEDGERS_FOUND: 1,
      auditor_NUM_ORPHAN_LEDGERS_DELETED: 1,
    });
  });

  it("is deleted where it was a cursor's", async () => {
    const { bookkeeper, factory } = fixture.owner();
    const ledger = await factory.open(NAME);
    await ledger.openCursor("c");
    const properties = { ...PROPERTIES, "pulsar/cursor": "c" };
    const { ledgerId } = await bookkeeper.createLedger({ ...QUORUM, properties });
    expect(await fixture.lookTwice()).toEqual({ waiting: 0, deleted: 1 });
    expect(await fixture.ledgers()).not.toContain(ledgerId);
  });

  it("is left alone while so few of its bookies answer that its writer could get something stored", async () => {
    const { ledgerId } = await fixture.owner().bookkeeper.createLedger({ ...QUORUM, properties: PROPERTIES });
    for (const bookie of fixture.bookies.slice(0, 2)) bookie.kill();
    await fixture.collector.collect();
    await fixture.clock.advance(GRACE_MS);
    const looked = fixture.collector.collect();
    await fixture.clock.advance(GRACE_MS);
    expect(await looked).toEqual({ waiting: 1, deleted: 0 });
    expect(await fixture.ledgers()).toContain(ledgerId);
  });

  it("is left alone where somebody else made it", async () => {
    const { ledgerId } = await fixture.owner().bookkeeper.createLedger({ ...QUORUM });
    expect(await fixture.lookTwice()).toEqual({ waiting: 0, deleted: 0 });
    expect(await fixture.ledgers()).toContain(ledgerId);
  });

  it.each(["{", "null", '{"ledgers":null}', '{"ledgers":[7]}'])(
    "is deleted though another list cannot be read, of which nothing goes: %s",
    async (list) => {
      const { bookkeeper } = fixture.owner();
      const other = { ...PROPERTIES, "pulsar/managed-ledger": `${NAME}-2` };
      const kept = await bookkeeper.createLedger({ ...QUORUM, properties: other });
      await bookkeeper.createLedger({ ...QUORUM, properties: PROPERTIES });
      await fixture.looker.metadata.put(`/managed-ledgers/${NAME}-2`, new TextEncoder().encode(list));
      expect(await fixture.lookTwice()).toEqual({ waiting: 0, deleted: 1 });
      expect(await fixture.ledgers()).toEqual([kept.ledgerId]);
    },
  );

  it("is left alone while it changes", async () => {
    const { ledgerId } = await fixture.owner().bookkeeper.createLedger({ ...QUORUM, properties: PROPERTIES });
    const { metadata } = fixture.looker;
    const { delete: remove } = metadata;
    await fixture.collector.collect();
    await fixture.clock.advance(GRACE_MS);
    metadata.delete = async (key, version) => {
      metadata.delete = remove;
      const found = await metadata.get(ledgerKey(ledgerId));
      await metadata.put(ledgerKey(ledgerId), found?.value ?? new Uint8Array());
      return remove.call(metadata, key, version);
    };
    expect(await fixture.collector.collect()).toEqual({ waiting: 1, deleted: 0 });
    expect(await fixture.collector.collect()).toEqual({ waiting: 0, deleted: 1 });
  });

  it("has its note that it lacks copies taken away once it is gone", async () => {
    const marks = new UnderReplication(fixture.looker.metadata);
    await marks.mark(4711, ["bookie-0"]);
    await fixture.collector.collect();
    expect(await marks.list()).toEqual([]);
    expect(fixture.statistics.auditor_NUM_STALE_UNDER_REPLICATION_MARKS_CLEARED).toBe(1);
  });
});

describe("a ledger that is listed", () => {
  it("stays, as do those of cursors", async () => {
    const { factory } = fixture.owner();
    const ledger = await factory.open(NAME, { ...KEEP_ALL, maxEntriesPerLedger: 2 });
    const cursor = await ledger.openCursor("a/b", { initialPosition: "earliest" });
    await appendMany(ledger, 5);
    await ledger.rollover();
    cursor.acknowledge({ ledgerId: ledger.firstPosition.ledgerId, entryId: 0 });
    await cursor.flush();
    await fixture.clock.settle();
    const before = await fixture.ledgers();
    expect(before.length).toBeGreaterThan(3);
    expect(await fixture.lookTwice()).toEqual({ waiting: 0, deleted: 0 });
    expect(await fixture.ledgers()).toEqual(before);
  });

  it("takes nothing when it was listed too late, and the next owner leaves it out", async () => {
    const { factory, metadata } = fixture.owner();
    const ledger = await factory.open(NAME, KEEP_ALL);
    await append(ledger, "first");
    // the owner stands still between making the ledger and listing it
    metadata.beforeNextPut(`/managed-ledgers/${NAME}`, () => fixture.lookTwice());
    await ledger.rollover();
    const [, late] = ledger.ledgers;
    expect(await fixture.ledgers()).not.toContain(late?.ledgerId);
    await expect(append(ledger, "second")).rejects.toMatchObject({ code: "Fenced" });
    const next = await fixture.owner("next").factory.open(NAME, KEEP_ALL);
    expect(next.entryCount).toBe(1);
    expect(next.ledgers.map(({ ledgerId }) => ledgerId)).not.toContain(late?.ledgerId);
    await append(next, "second");
    expect(next.entryCount).toBe(2);
  });

  it("stays when it was listed between its fence and the last look, and its owner is told", async () => {
    const { factory, metadata } = fixture.owner();
    const ledger = await factory.open(NAME, KEEP_ALL);
    await append(ledger, "first");
    const listed = deferred<void>();
    const looking = fixture.looker.metadata.put.bind(fixture.looker.metadata);
    // the mark of the fence is put into metadata once the owner has listed the ledger
    fixture.looker.metadata.put = async (...put) => {
      fixture.looker.metadata.put = looking;
      listed.resolve();
      await fixture.clock.settle();
      return looking(...put);
    };
    metadata.beforeNextPut(`/managed-ledgers/${NAME}`, async () => {
      await fixture.collector.collect();
      await fixture.clock.advance(GRACE_MS);
      void fixture.collector.collect();
      await listed.promise;
    });
    await ledger.rollover();
    await fixture.clock.settle();
    const [, second] = ledger.ledgers;
    expect(await fixture.ledgers()).toContain(second?.ledgerId);
    await expect(append(ledger, "second")).rejects.toMatchObject({ code: "Fenced" });
    const next = await fixture.owner("next").factory.open(NAME, KEEP_ALL);
    expect(next.entryCount).toBe(1);
  });

  it("that a new owner took for empty and deleted ends the topic of the old, who lost a bookie before it heard of it", async () => {
    await fixture.addBookie();
    const old = await fixture.owner().factory.open(NAME, KEEP_ALL);
    const [empty] = await fixture.ledgers();
    const { bookies } = (await fixture.looker.bookkeeper.readMetadata(empty as number)).metadata.fragments[0] ?? {};
    // until then the old owner hears of nothing
    fixture.messenger.rule = (_from, to, message) =>
      to.startsWith("owner") || (message as { type: string }).type === "delete-ledger" ? "lose" : "pass";
    const next = await fixture.owner("next").factory.open(NAME, KEEP_ALL);
    expect(await fixture.ledgers()).not.toContain(empty);
    fixture.messenger.release();
    await fixture.metadata.session().delete(`/ledgers/available/${bookies?.[0]}`);
    await fixture.clock.settle();
    await expect(append(old, "too late")).rejects.toMatchObject({ code: "Fenced" });
    await append(next, "in time");
  });

  it("holds a cursor's state in metadata when it was named too late", async () => {
    const { factory, metadata } = fixture.owner();
    const ledger = await factory.open(NAME, { ...KEEP_ALL, cursorPersistIntervalMs: 0 });
    const cursor = await ledger.openCursor("c", { initialPosition: "earliest" });
    await appendMany(ledger, 3);
    metadata.beforeNextPut(`/managed-ledgers/${NAME}/c`, () => fixture.lookTwice());
    const { ledgerId } = ledger.firstPosition;
    cursor.acknowledge({ ledgerId, entryId: 0 });
    await cursor.flush();
    cursor.acknowledge({ ledgerId, entryId: 1 });
    await expect(cursor.flush()).rejects.toMatchObject({ code: "Fenced" });
    const next = await fixture.owner("next").factory.open(NAME, KEEP_ALL);
    expect(next.cursors.get("c")?.markDeleted).toEqual({ ledgerId, entryId: 0 });
  });
});
