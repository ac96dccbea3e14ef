import { createSeededRandom } from "@pulsewire/runtime";
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
    const factory = createManagedLedgerFactory({ clock, bookkeeper, metadata, listingMsMax: GRACE_MS / 2 });
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

  it("is left alone where somebody else made it", async () => {
    const { ledgerId } = await fixture.owner().bookkeeper.createLedger({ ...QUORUM });
    expect(await fixture.lookTwice()).toEqual({ waiting: 0, deleted: 0 });
    expect(await fixture.ledgers()).toContain(ledgerId);
  });

  it("is left alone while it changes", async () => {
    const { ledgerId } = await fixture.owner().bookkeeper.createLedger({ ...QUORUM, properties: PROPERTIES });
    const { metadata } = fixture.looker;
    const { get } = metadata;
    await fixture.collector.collect();
    await fixture.clock.advance(GRACE_MS);
    // between the look at the ledger and its deletion
    metadata.get = async (key) => {
      const found = await get.call(metadata, key);
      if (key === ledgerKey(ledgerId) && found !== undefined) await metadata.put(key, found.value);
      return found;
    };
    expect(await fixture.collector.collect()).toEqual({ waiting: 1, deleted: 0 });
    metadata.get = get;
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
    const ledger = await factory.open(NAME, {
      maxEntriesPerLedger: 2,
      minRolloverMs: 0,
      retentionMs: -1,
      retentionBytes: -1,
    });
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

  it("is not written to when it was listed too late, since it may be gone", async () => {
    const { factory, metadata } = fixture.owner();
    const ledger = await factory.open(NAME, { minRolloverMs: 0, retentionMs: -1, retentionBytes: -1 });
    await append(ledger, "first");
    const { put } = metadata;
    // the owner stands still between making the ledger and listing it
    metadata.put = async (key, value, options) => {
      if (key !== `/managed-ledgers/${NAME}`) return put.call(metadata, key, value, options);
      await fixture.lookTwice();
      return put.call(metadata, key, value, options);
    };
    await expect(ledger.rollover()).rejects.toMatchObject({ code: "MetadataUnavailable" });
    metadata.put = put;
    await fixture.clock.advance(10_000);
    const { ledgerId } = await append(ledger, "second");
    expect(await fixture.ledgers()).toContain(ledgerId);
    const next = await fixture.owner("next").factory.open(NAME, { retentionMs: -1, retentionBytes: -1 });
    expect(next.entryCount).toBe(2);
  });

  it("holds no cursor's state when it was named too late", async () => {
    const { factory, metadata } = fixture.owner();
    const ledger = await factory.open(NAME, { retentionMs: -1, retentionBytes: -1, cursorPersistIntervalMs: 0 });
    const cursor = await ledger.openCursor("c", { initialPosition: "earliest" });
    await appendMany(ledger, 3);
    const { put } = metadata;
    metadata.put = async (key, value, options) => {
      if (key !== `/managed-ledgers/${NAME}/c`) return put.call(metadata, key, value, options);
      metadata.put = put;
      await fixture.lookTwice();
      return put.call(metadata, key, value, options);
    };
    const { ledgerId } = ledger.firstPosition;
    for (const entryId of [0, 1]) {
      cursor.acknowledge({ ledgerId, entryId });
      await cursor.flush();
    }
    const next = await fixture.owner("next").factory.open(NAME, { retentionMs: -1, retentionBytes: -1 });
    expect(next.cursors.get("c")?.markDeleted).toEqual({ ledgerId, entryId: 1 });
  });
});
