import { createSeededRandom } from "@pulsewire/runtime";
import { describe, expect, it } from "vitest";
import type { MetadataStore } from "../../metadata/metadata-store.ts";
import { type Bookie, startBookie } from "../bookie/bookie.ts";
import { MemoryLedgerStorage } from "../bookie/memory-ledger-storage.ts";
import { BookKeeperFixture, bytesOf, textOf } from "../bookkeeper-fixture.ts";
import { LedgerReader } from "../client/ledger-reader.ts";
import type { LedgerWriter } from "../client/ledger-writer.ts";
import { ledgerKey } from "../wire/ledger-key.ts";
import { auditorNode } from "./auditor.ts";
import { AutoRecovery } from "./auto-recovery.ts";
import { type AutoRecoverySettings, parseAutoRecoverySettings } from "./recovery-settings.ts";
import { RecoveryStatistics } from "./recovery-statistics.ts";
import { AUDITOR_KEY, UnderReplication } from "./under-replication.ts";

const QUORUM = { ensembleSize: 3, writeQuorum: 2, ackQuorum: 2 };

/** Bookies whose sessions are their own, and nodes that recover. */
class RecoveryFixture extends BookKeeperFixture {
  readonly statistics = new RecoveryStatistics();
  readonly errors: unknown[] = [];
  readonly recoveries: { recovery: AutoRecovery; session: MetadataStore }[] = [];
  readonly observer: MetadataStore = this.metadata.session();
  readonly marks: UnderReplication = new UnderReplication(this.observer);
  readonly user = this.node();

  static override async start(bookies: number): Promise<RecoveryFixture> {
    const fixture = new RecoveryFixture();
    await fixture.addBookies(bookies);
    return fixture;
  }

  recover(settings: Partial<AutoRecoverySettings> = {}): AutoRecovery {
    const { clock, messenger, statistics } = this;
    const session = this.metadata.session();
    const nodeId = `recovery-${this.recoveries.length}`;
    const random = createSeededRandom(this.recoveries.length);
    const recovery = new AutoRecovery({
      clock,
      random,
      messenger,
      metadata: session,
      nodeId,
      settings: parseAutoRecoverySettings(settings),
      statistics,
      onError: (error) => this.errors.push(error),
    });
    recovery.start();
    this.recoveries.push({ recovery, session });
    return recovery;
  }

  /** As after a crash: no answers, and its session is over. */
  async lose(bookie: string): Promise<void> {
    this.bookies.find(({ id }) => id === bookie)?.kill();
    await this.observer.delete(`/ledgers/available/${bookie}`);
    await this.clock.settle();
  }

  /** Lets time pass, a minute at most, until something holds. */
  async until(holds: () => boolean | Promise<boolean>): Promise<void> {
    for (let i = 0; i < 600; i++) {
      if (await holds()) return;
      await this.clock.advance(100);
    }
    throw new Error(`it does not hold after a minute; ${this.errors.join("; ")}`);
  }

  /** A bookie is started again on an empty disk, and knows which ledgers it had. */
  async wipe(place: number, ledgerIds: readonly number[]): Promise<MemoryLedgerStorage> {
    const { id } = this.bookies[place] as Bookie;
    await this.bookies[place]?.stop();
    const storage = new MemoryLedgerStorage({ ids: ledgerIds, lastId: -1 });
    const { messenger } = this;
    this.bookies[place] = await startBookie({ id, messenger, metadata: this.metadata.session(), storage });
    for (const ledgerId of ledgerIds) await this.marks.mark(ledgerId, [id]);
    return storage;
  }

  /** Until no ledger lacks copies. */
  whole(): Promise<void> {
    return this.until(async () => (await this.marks.list()).length === 0);
  }

  async ledger(entries: number, close = true): Promise<LedgerWriter> {
    const writer = await this.user.bookkeeper.createLedger(QUORUM);
    const ignored = { onAdded: () => undefined, onAddFailed: () => undefined };
    for (let i = 0; i < entries; i++) writer.append(bytesOf(`${writer.ledgerId}:${i}`), ignored);
    await this.clock.settle();
    if (close) await writer.close();
    return writer;
  }

  async fragments(ledgerId: number): Promise<readonly (readonly string[])[]> {
    const { metadata } = await this.user.bookkeeper.readMetadata(ledgerId);
    return metadata.fragments.map(({ bookies }) => bookies);
  }

  /** Whether each entry has as many intact copies as its write quorum, where metadata says they are. */
  async isWhole(ledgerId: number): Promise<boolean> {
    const { metadata } = await this.user.bookkeeper.readMetadata(ledgerId);
    for (let entryId = 0; entryId <= (metadata.lastEntryId ?? -1); entryId++) {
      const fragment = metadata.fragments.filter((f) => f.firstEntryId <= entryId).at(-1);
      for (let i = 0; i < metadata.writeQuorum; i++) {
        const bookie = fragment?.bookies[(entryId + i) % metadata.ensembleSize] as string;
        const at = { ledgerId, bookie, entryIds: [entryId] };
        if (!(await LedgerReader.intactCopies(this.user.bookkeeper.pool, at)).has(entryId)) return false;
      }
    }
    return true;
  }
}

describe("auto-recovery", () => {
  it("copies what a lost bookie held to others, and notes so in metadata", async () => {
    const fixture = await RecoveryFixture.start(5);
    fixture.recover();
    const writers = await Promise.all([fixture.ledger(250), fixture.ledger(7), fixture.ledger(0)]);
    const [lost] = (await fixture.fragments((writers[0] as LedgerWriter).ledgerId))[0] as [string];
    await fixture.lose(lost);
    await fixture.until(() => fixture.statistics.auditor_NUM_UNDER_REPLICATED_LEDGERS > 0);
    await fixture.whole();
    for (const { ledgerId } of writers) {
      expect((await fixture.fragments(ledgerId)).flat()).not.toContain(lost);
      expect(await fixture.isWhole(ledgerId)).toBe(true);
    }
    expect(await fixture.marks.list()).toEqual([]);
    expect(fixture.errors).toEqual([]);
    const { statistics } = fixture;
    expect(statistics.replication_worker_NUM_ENTRIES_WRITTEN).toBeGreaterThan(0);
  });

  it("leaves a bookie alone that is back within lostBookieRecoveryDelay", async () => {
    const fixture = await RecoveryFixture.start(4);
    fixture.recover({ lostBookieRecoveryDelay: 60 });
    const { ledgerId } = await fixture.ledger(5);
    const [bookie] = (await fixture.fragments(ledgerId))[0] as [string];
    await fixture.lose(bookie);
    await fixture.clock.advance(59_000);
    await fixture.observer.put(`/ledgers/available/${bookie}`, new Uint8Array());
    await fixture.clock.advance(120_000);
    expect(fixture.statistics.auditor_NUM_UNDER_REPLICATED_LEDGERS).toBe(0);
    await fixture.lose(bookie);
    await fixture.clock.advance(60_000);
    await fixture.until(async () => !(await fixture.fragments(ledgerId)).flat().includes(bookie));
    expect(await fixture.isWhole(ledgerId)).toBe(true);
  });

  it("gives a bookie that is back what was written meanwhile to a ledger that is still written", async () => {
    const fixture = await RecoveryFixture.start(3);
    fixture.recover({ openLedgerRereplicationGracePeriod: 1_000 });
    const quorum = { ensembleSize: 3, writeQuorum: 3, ackQuorum: 2 };
    const writer = await fixture.user.bookkeeper.createLedger(quorum);
    const { ledgerId } = writer;
    const acknowledged: number[] = [];
    const listener = { onAdded: (id: number) => acknowledged.push(id), onAddFailed: () => undefined };
    writer.append(bytesOf("before"), listener);
    await fixture.clock.settle();
    const [bookie] = (await fixture.fragments(ledgerId))[0] as [string];
    fixture.messenger.rule = (_, to) => (to === bookie ? "lose" : "pass");
    await fixture.observer.delete(`/ledgers/available/${bookie}`);
    for (let i = 0; i < 5; i++) writer.append(bytesOf(`without ${i}`), listener);
    await fixture.clock.settle();
    expect(acknowledged).toEqual([0, 1, 2, 3, 4, 5]);
    fixture.messenger.release();
    await fixture.observer.put(`/ledgers/available/${bookie}`, new Uint8Array());
    await fixture.whole();
    expect((await fixture.user.bookkeeper.readMetadata(ledgerId)).metadata.state).toBe("OPEN");
    const at = { ledgerId, bookie, entryIds: [0, 1, 2, 3, 4, 5] };
    expect((await LedgerReader.intactCopies(fixture.user.bookkeeper.pool, at)).size).toBe(6);
  });

  it("elects one Auditor, and another when that one's session is over", async () => {
    const fixture = await RecoveryFixture.start(4);
    const first = fixture.recover();
    const second = fixture.recover();
    await fixture.clock.settle();
    expect([first.auditor.elected, second.auditor.elected]).toEqual([true, false]);
    expect(auditorNode((await fixture.observer.get(AUDITOR_KEY))?.value ?? bytesOf(""))).toBe("recovery-0");
    fixture.metadata.expire((fixture.recoveries[0] as (typeof fixture.recoveries)[0]).session);
    await fixture.clock.settle();
    expect([first.auditor.elected, second.auditor.elected]).toEqual([false, true]);
  });

  it("notices what was lost while nobody was the Auditor", async () => {
    const fixture = await RecoveryFixture.start(4);
    const { ledgerId } = await fixture.ledger(5);
    const [bookie] = (await fixture.fragments(ledgerId))[0] as [string];
    await fixture.lose(bookie);
    fixture.recover();
    await fixture.until(async () => !(await fixture.fragments(ledgerId)).flat().includes(bookie));
    expect(await fixture.isWhole(ledgerId)).toBe(true);
  });

  it("goes on where a worker died: its lock goes with its session, and fragments it did are not done again", async () => {
    const fixture = await RecoveryFixture.start(4);
    const { ledgerId } = await fixture.ledger(30);
    const [bookie] = (await fixture.fragments(ledgerId))[0] as [string];
    fixture.messenger.rule = (from, _to, message) =>
      from.startsWith("recovery-0") && (message as { type: string }).type === "add" ? "hold" : "pass";
    fixture.recover();
    await fixture.lose(bookie);
    await fixture.until(async () => (await fixture.marks.locked()).has(ledgerId));
    fixture.recover();
    await fixture.clock.settle();
    expect(await fixture.marks.list()).toEqual([ledgerId]);
    const [died] = fixture.recoveries as [(typeof fixture.recoveries)[0]];
    fixture.metadata.expire(died.session);
    await fixture.whole();
    expect(await fixture.isWhole(ledgerId)).toBe(true);
  });

  it("waits where no bookie can take the copies, and goes on when one joins", async () => {
    const fixture = await RecoveryFixture.start(3);
    const { ledgerId } = await fixture.ledger(5);
    fixture.recover();
    await fixture.lose("bookie-1");
    await fixture.until(() => fixture.errors.length > 0);
    expect(await fixture.marks.read(ledgerId)).toMatchObject({ missingReplicas: ["bookie-1"], leavingReplicas: [] });
    expect(String(fixture.errors[0])).toContain("NotEnoughBookies");
    await fixture.addBookie();
    await fixture.whole();
    expect(await fixture.isWhole(ledgerId)).toBe(true);
  });

  it("gives a bookie that is back what it lacks, in its own place", async () => {
    const fixture = await RecoveryFixture.start(3);
    const { ledgerId } = await fixture.ledger(5);
    fixture.recover();
    await fixture.lose("bookie-1");
    const before = await fixture.fragments(ledgerId);
    // it comes back on an empty disk
    await fixture.bookies[1]?.storage.close();
    await fixture.bookies[1]?.start();
    expect(await fixture.isWhole(ledgerId)).toBe(false);
    await fixture.whole();
    expect(await fixture.isWhole(ledgerId)).toBe(true);
    expect(await fixture.fragments(ledgerId)).toEqual(before);
  });

  it("finds copies that got lost on their way, or broke, in the periodic check, and gives them to their bookies again", async () => {
    const fixture = await RecoveryFixture.start(3);
    fixture.recover({ auditorPeriodicCheckInterval: 3600 });
    const writer = await fixture.user.bookkeeper.createLedger({ ensembleSize: 3, writeQuorum: 3, ackQuorum: 2 });
    fixture.messenger.rule = (_from, to) => (to === "bookie-2" ? "lose" : "pass");
    const ignored = { onAdded: () => undefined, onAddFailed: () => undefined };
    for (let i = 0; i < 10; i++) writer.append(bytesOf(`${writer.ledgerId}:${i}`), ignored);
    await fixture.clock.settle();
    await writer.close();
    fixture.messenger.release();
    expect(await fixture.isWhole(writer.ledgerId)).toBe(false);
    await fixture.clock.advance(3600_000);
    await fixture.until(() => fixture.isWhole(writer.ledgerId));
    await fixture.whole();
    expect(fixture.statistics.replication_worker_NUM_ENTRIES_WRITTEN).toBe(10);
  });

  it("copies no faster than it may", async () => {
    const fixture = await RecoveryFixture.start(4);
    const { ledgerId } = await fixture.ledger(100);
    const [bookie] = (await fixture.fragments(ledgerId))[0] as [string];
    fixture.recover({ replicationRateByBytes: 10, rereplicationEntryBatchSize: 10 });
    await fixture.lose(bookie);
    await fixture.clock.advance(20_000);
    // some 40 bytes a batch
    expect(fixture.statistics.replication_worker_NUM_BYTES_READ).toBeLessThan(300);
    expect(await fixture.marks.list()).toEqual([ledgerId]);
    await fixture.whole();
    expect(await fixture.isWhole(ledgerId)).toBe(true);
  });

  it("stops at once where copies wait for their share of the rate, and leaves them to others", async () => {
    const fixture = await RecoveryFixture.start(4);
    const { ledgerId } = await fixture.ledger(250);
    const [lost] = (await fixture.fragments(ledgerId))[0] as [string];
    const recovery = fixture.recover({ replicationRateByBytes: 1, rereplicationEntryBatchSize: 10 });
    await fixture.lose(lost);
    await fixture.until(() => fixture.statistics.replication_worker_NUM_ENTRIES_READ >= 20);
    // the clock stands still: nothing but the stop lets it pass
    await recovery[Symbol.asyncDispose]();
    expect(await fixture.marks.list()).toEqual([ledgerId]);
    expect(await fixture.marks.locked()).toEqual(new Set());
    fixture.recover();
    await fixture.whole();
    expect(await fixture.isWhole(ledgerId)).toBe(true);
  });

  it("makes none while it is disabled", async () => {
    const fixture = await RecoveryFixture.start(4);
    const { ledgerId } = await fixture.ledger(5);
    const [bookie] = (await fixture.fragments(ledgerId))[0] as [string];
    await fixture.marks.setEnabled(false);
    fixture.recover();
    await fixture.lose(bookie);
    await fixture.clock.advance(60_000);
    expect(await fixture.marks.list()).toEqual([ledgerId]);
    await fixture.marks.setEnabled(true);
    await fixture.whole();
    expect(await fixture.isWhole(ledgerId)).toBe(true);
  });
});

describe("a ledger that is being written", () => {
  it("goes on elsewhere by its writer, idle or not; the closed part is copied, and nothing is fenced", async () => {
    const fixture = await RecoveryFixture.start(4);
    fixture.recover();
    const writer = await fixture.ledger(10, false);
    const [bookie] = (await fixture.fragments(writer.ledgerId))[0] as [string];
    await fixture.lose(bookie);
    await fixture.clock.advance(60_000);
    expect((await fixture.fragments(writer.ledgerId)).flat()).not.toContain(bookie);
    const added: number[] = [];
    writer.append(bytesOf("more"), { onAdded: (id) => added.push(id), onAddFailed: () => undefined });
    await fixture.clock.settle();
    expect(added).toEqual([10]);
    await writer.close();
    expect((await fixture.fragments(writer.ledgerId)).flat()).not.toContain(bookie);
    expect(await fixture.isWhole(writer.ledgerId)).toBe(true);
  });

  it("is closed and copied once its writer had its time and did not go elsewhere", async () => {
    const fixture = await RecoveryFixture.start(4);
    fixture.recover({ openLedgerRereplicationGracePeriod: 30_000 });
    const writer = await fixture.ledger(10, false);
    fixture.user.bookkeeper.close();
    const reading = fixture.node();
    const [bookie] = (await fixture.fragments(writer.ledgerId))[0] as [string];
    // a client that is closed changes nothing any more
    await fixture.lose(bookie);
    await fixture.clock.advance(29_000);
    expect((await reading.bookkeeper.readMetadata(writer.ledgerId)).metadata.state).toBe("OPEN");
    await fixture.clock.advance(2_000);
    await fixture.whole();
    const { metadata } = await reading.bookkeeper.readMetadata(writer.ledgerId);
    expect(metadata).toMatchObject({ state: "CLOSED", lastEntryId: 9 });
    expect(metadata.fragments.flatMap(({ bookies }) => bookies)).not.toContain(bookie);
    const reader = await reading.bookkeeper.openLedger(writer.ledgerId);
    expect((await reader.read(0, 9)).map((entry) => textOf(entry.payload)).at(-1)).toBe(`${writer.ledgerId}:9`);
  });

  it("is not closed where its copies could go nowhere", async () => {
    const fixture = await RecoveryFixture.start(3);
    fixture.recover();
    const writer = await fixture.ledger(10, false);
    await fixture.lose("bookie-0");
    await fixture.clock.advance(120_000);
    expect((await fixture.user.bookkeeper.readMetadata(writer.ledgerId)).metadata.state).toBe("OPEN");
    expect(writer.failure).toBeUndefined();
  });
});

describe("a bookie that may have lost entries", () => {
  const QUORUM_OF_3 = { ensembleSize: 3, writeQuorum: 3, ackQuorum: 2 };

  /** One more entry than the ledger has, by whoever still takes the ledger for its own. */
  async function lateAdd(fixture: RecoveryFixture, ledgerId: number, bookie: string): Promise<unknown> {
    const payload = bytesOf("late");
    const entry = { ledgerId, entryId: 5, lac: 4, lengthBytes: 100, payload, crc32c: 0 };
    const link = fixture.user.bookkeeper.pool.link(bookie);
    return link.call((requestId) => ({ type: "add", requestId, entries: [entry], recovery: false }));
  }

  it("is in no doubt any more about a closed ledger once it has all of it again, and refuses who still writes it", async () => {
    const fixture = await RecoveryFixture.start(3);
    const { ledgerId } = await fixture.ledger(5);
    const storage = await fixture.wipe(1, [ledgerId]);
    expect(storage.read(ledgerId, 99)).toBe("StorageFailed");
    fixture.recover();
    await fixture.whole();
    expect(await fixture.isWhole(ledgerId)).toBe(true);
    expect([...storage.doubtfulIds()]).toEqual([]);
    expect(storage.read(ledgerId, 99)).toBe("NoSuchEntry");
    expect(await lateAdd(fixture, ledgerId, "bookie-1")).toMatchObject({ codes: ["LedgerFenced"] });
    expect(fixture.errors).toEqual([]);
  });

  it("stays in doubt while some entry cannot be had from anybody", async () => {
    const fixture = await RecoveryFixture.start(3);
    const { ledgerId } = await fixture.ledger(5);
    const storage = await fixture.wipe(1, [ledgerId]);
    fixture.messenger.rule = (_from, to, message) =>
      to !== "bookie-1" && (message as { type: string }).type === "read" ? "lose" : "pass";
    fixture.recover();
    await fixture.until(() => fixture.errors.length > 0);
    expect([...storage.doubtfulIds()]).toEqual([ledgerId]);
    expect(await fixture.marks.list()).toEqual([ledgerId]);
    fixture.messenger.release();
    await fixture.whole();
    expect([...storage.doubtfulIds()]).toEqual([]);
  });

  it("is given at once what there is of a ledger without an end, and out of doubt once its writer had its time and it has one", async () => {
    const fixture = await RecoveryFixture.start(3);
    const writer = await fixture.user.bookkeeper.createLedger(QUORUM_OF_3);
    const { ledgerId } = writer;
    const ignored = { onAdded: () => undefined, onAddFailed: () => undefined };
    for (let i = 0; i < 5; i++) writer.append(bytesOf(`${i}`), ignored);
    await fixture.clock.settle();
    fixture.user.bookkeeper.close();
    const storage = await fixture.wipe(1, [ledgerId]);
    fixture.recover({ openLedgerRereplicationGracePeriod: 10_000 });
    await fixture.until(() => typeof storage.read(ledgerId, 4) === "object");
    const { bookkeeper } = fixture.node();
    const state = async (): Promise<string> => (await bookkeeper.readMetadata(ledgerId)).metadata.state;
    expect([await state(), storage.isDoubtful(ledgerId)]).toEqual(["OPEN", true]);
    await fixture.clock.advance(11_000);
    await fixture.whole();
    expect([await state(), storage.isDoubtful(ledgerId)]).toEqual(["CLOSED", false]);
    expect((await bookkeeper.readMetadata(ledgerId)).metadata.lastEntryId).toBe(4);
  });

  it("does not end a ledger that is written elsewhere by now", async () => {
    const fixture = await RecoveryFixture.start(4);
    const writer = await fixture.ledger(5, false);
    const { ledgerId } = writer;
    const [first] = (await fixture.fragments(ledgerId))[0] as [string];
    const place = Number(first.slice("bookie-".length));
    const storage = await fixture.wipe(place, [ledgerId]);
    // the writer learns of it with its next entries, and goes elsewhere
    const added: number[] = [];
    const listener = { onAdded: (id: number) => added.push(id), onAddFailed: () => undefined };
    for (let i = 0; i < 3; i++) writer.append(bytesOf("more"), listener);
    await fixture.clock.settle();
    expect(added).toEqual([5, 6, 7]);
    fixture.recover();
    await fixture.whole();
    expect((await fixture.user.bookkeeper.readMetadata(ledgerId)).metadata.state).toBe("OPEN");
    expect(writer.failure).toBeUndefined();
    expect(storage.isDoubtful(ledgerId)).toBe(false);
  });

  it("that is written to again by the time it is asked stays in doubt until that has an end", async () => {
    const fixture = await RecoveryFixture.start(4);
    const { ledgerId } = await fixture.ledger(5, false);
    const { bookkeeper } = fixture.user;
    const [back, ...others] = (await fixture.fragments(ledgerId))[0] as [string, string, string];
    const place = Number(back.slice("bookie-".length));
    const goOn = async (firstEntryId: number, bookies: readonly string[]): Promise<void> => {
      const ledger = await bookkeeper.readMetadata(ledgerId);
      const fragments = [...ledger.metadata.fragments, { firstEntryId, bookies }];
      expect(await bookkeeper.ledgers.update(ledger, { ...ledger.metadata, fragments })).toBeDefined();
    };
    const fourth = fixture.bookies.map(({ id }) => id).find((id) => id !== back && !others.includes(id)) as string;
    await goOn(5, [fourth, ...others]);
    await fixture.wipe(place, [ledgerId]);
    fixture.recover();
    const { session } = fixture.recoveries[0] as { session: MetadataStore };
    const get = session.get.bind(session);
    let storage: MemoryLedgerStorage | undefined;
    session.get = async (key) => {
      const found = await get(key);
      if (key !== ledgerKey(ledgerId) || storage !== undefined || (await fixture.marks.locked()).size === 0)
        return found;
      // its writer goes on on it, and then it loses all once more
      await goOn(8, [back, ...others]);
      storage = await fixture.wipe(place, [ledgerId]);
      return found;
    };
    await fixture.until(() => fixture.statistics.replication_worker_NUM_ENTRIES_WRITTEN > 0);
    await fixture.clock.advance(100);
    expect(storage?.isDoubtful(ledgerId)).toBe(true);
  });

  it("and leaves is in no doubt any more about a ledger that is not on it any more", async () => {
    const fixture = await RecoveryFixture.start(4);
    const { ledgerId } = await fixture.ledger(5);
    const [leaving] = (await fixture.fragments(ledgerId))[0] as [string];
    const storage = await fixture.wipe(Number(leaving.slice("bookie-".length)), [ledgerId]);
    await fixture.marks.mark(ledgerId, [], [leaving]);
    fixture.recover();
    await fixture.whole();
    expect((await fixture.fragments(ledgerId)).flat()).not.toContain(leaving);
    expect(await fixture.isWhole(ledgerId)).toBe(true);
    expect([...storage.doubtfulIds()]).toEqual([]);
    expect(fixture.errors).toEqual([]);
  });

  it("that lost more meanwhile is not taken for whole: it is looked at again", async () => {
    const fixture = await RecoveryFixture.start(3);
    const { ledgerId } = await fixture.ledger(5);
    await fixture.wipe(1, [ledgerId]);
    const told = (message: unknown): boolean => {
      const { type, over } = message as { type: string; over?: string };
      return type === "doubt" && over !== undefined;
    };
    fixture.messenger.rule = (_from, _to, message) => (told(message) ? "hold" : "pass");
    fixture.recover();
    await fixture.until(() => fixture.statistics.replication_worker_NUM_ENTRIES_WRITTEN > 0);
    await fixture.clock.settle();
    // what it was given is lost again before it is told that it has all
    const storage = await fixture.wipe(1, [ledgerId]);
    fixture.messenger.release();
    await fixture.clock.settle();
    expect(storage.isDoubtful(ledgerId)).toBe(true);
    await fixture.whole();
    expect(storage.isDoubtful(ledgerId)).toBe(false);
    expect(await fixture.isWhole(ledgerId)).toBe(true);
  });
});
