import { createMemoryDisk, type Disk, type DiskFile } from "@pulsewire/runtime";
import { describe, expect, it } from "vitest";
import type { LedgerEntry } from "../wire/ledger-entry.ts";
import type { ResultCode } from "../wire/result-code.ts";
import { add, entriesOf, entryOf, StorageFixture, textAt, textsFrom, textsOf } from "./storage-fixture.ts";

/** A disk that counts, and may hold syncs back or fail. */
class CountingDisk implements Disk {
  readonly #inner: Disk = createMemoryDisk();
  readonly reads: string[] = [];
  readonly synced: string[] = [];
  failing: string | undefined;
  #held: (() => void)[] | undefined;

  holdSyncs(): void {
    this.#held = [];
  }

  releaseSyncs(): void {
    const held = this.#held ?? [];
    this.#held = undefined;
    for (const release of held) release();
  }

  async open(path: string): Promise<DiskFile> {
    const file = await this.#inner.open(path);
    const check = (): void => {
      if (this.failing !== undefined && path.startsWith(this.failing)) throw new Error(`${path} is on fire`);
    };
    const sync = async (): Promise<void> => {
      check();
      if (path.startsWith("journal/")) await new Promise<void>((resolve) => this.#held?.push(resolve) ?? resolve());
      this.synced.push(path);
    };
    return {
      get sizeBytes() {
        return file.sizeBytes;
      },
      append: async (bytes, roomBytes) => {
        check();
        await file.append(bytes, roomBytes);
      },
      appendDurably: async (bytes, roomBytes) => {
        check();
        await file.append(bytes, roomBytes);
        await sync();
      },
      read: (offset, length) => {
        this.reads.push(path);
        return file.read(offset, length);
      },
      sync,
      truncate: (sizeBytes) => file.truncate(sizeBytes),
      close: () => file.close(),
    };
  }

  rename = (from: string, to: string): Promise<void> => this.#inner.rename(from, to);
  remove = (path: string): Promise<void> => this.#inner.remove(path);
  list = (path: string): Promise<string[]> => this.#inner.list(path);
  syncFolder = (path: string): Promise<void> => this.#inner.syncFolder(path);
  usage = (): Promise<{ usedBytes: number; totalBytes: number }> => this.#inner.usage();
}

describe("adding", () => {
  it("answers nothing before the journal is synced", async () => {
    const disk = new CountingDisk();
    const { storage, clock } = await StorageFixture.open({}, disk);
    disk.holdSyncs();
    const answers: unknown[] = [];
    storage.add([entryOf(1, 0)], false, { onStored: (codes) => answers.push(codes) });
    await clock.advance(1000);
    expect(answers).toEqual([]);
    disk.releaseSyncs();
    await clock.settle();
    expect(answers).toEqual(["Ok"]);
  });

  it("makes one group of what comes in one turn, and one of what comes during a sync", async () => {
    const disk = new CountingDisk();
    const { storage, clock } = await StorageFixture.open({}, disk);
    const before = storage.figures.journalSyncs;
    await Promise.all(Array.from({ length: 500 }, (_, i) => add(storage, [entryOf(i, 0)])));
    expect(storage.figures.journalSyncs - before).toBe(1);
    disk.holdSyncs();
    const first = add(storage, [entryOf(1, 1)]);
    await clock.settle();
    const others = Array.from({ length: 500 }, (_, i) => add(storage, [entryOf(1, 2 + i)]));
    disk.releaseSyncs();
    await Promise.all([first, ...others]);
    expect(storage.figures.journalSyncs - before).toBe(3);
  });

  it("syncs nothing before it answers where that is switched off, and writes it all the same", async () => {
    const disk = new CountingDisk();
    const { storage } = await StorageFixture.open({ journalSyncData: false }, disk);
    disk.holdSyncs();
    expect(await add(storage, [entryOf(1, 0), entryOf(1, 1)])).toBe("Ok");
    const { journalSyncs, journalBytes, journalQueue } = storage.figures;
    expect([journalSyncs, journalQueue]).toEqual([0, 0]);
    expect(journalBytes).toBeGreaterThan(0);
    disk.releaseSyncs();
  });

  it("waits for others as long as journalMaxGroupWaitMSec where it is not to flush at once", async () => {
    const { storage, clock } = await StorageFixture.open({ journalFlushWhenQueueEmpty: false });
    let stored = 0;
    const listener = { onStored: () => stored++ };
    storage.add([entryOf(1, 0)], false, listener);
    await clock.advance(1);
    storage.add([entryOf(1, 1)], false, listener);
    expect(stored).toBe(0);
    await clock.advance(1);
    expect(stored).toBe(2);
    expect(storage.figures.journalSyncs).toBe(1);
    storage.add([entryOf(1, 2, "x".repeat(600_000))], false, listener);
    await clock.settle();
    expect(stored).toBe(3);
  });

  it("refuses the entries of fenced and deleted ledgers one by one, unless they are a recovery's", async () => {
    const { storage } = await StorageFixture.open();
    await add(storage, [entryOf(1, 0), entryOf(2, 0), entryOf(3, 0)]);
    await storage.fence(1);
    await storage.delete(2);
    const entries = [entryOf(1, 1), entryOf(2, 1), entryOf(3, 1)];
    expect(await add(storage, entries)).toEqual(["LedgerFenced", "NoSuchLedger", "Ok"]);
    expect(await add(storage, entries, true)).toEqual(["Ok", "NoSuchLedger", "Ok"]);
    expect(await textAt(storage, 1, 1)).toBe("1:1");
  });

  it("holds adds back while both halves of the write cache are full, and fails those that wait too long", async () => {
    const disk = new CountingDisk();
    const settings = { dbStorage_writeCacheMaxSizeMb: 1, dbStorage_maxThrottleTimeMs: 1000 };
    const { storage, clock, errors } = await StorageFixture.open(settings, disk);
    disk.failing = "entry-logs/";
    const half = (ledgerId: number): LedgerEntry[] => [entryOf(ledgerId, 0, "x".repeat(520 * 1024))];
    const codes: unknown[] = [];
    const listener = { onStored: (code: ResultCode | readonly ResultCode[]) => codes.push(code) };
    for (let ledgerId = 0; ledgerId < 4; ledgerId++) storage.add(half(ledgerId), false, listener);
    await clock.settle();
    expect(codes).toEqual(["Ok", "Ok"]);
    await clock.advance(1200);
    expect(codes).toEqual(["Ok", "Ok", "StorageFailed", "StorageFailed"]);
    expect(errors.length).toBeGreaterThan(0);
    storage.add(half(5), false, listener);
    disk.failing = undefined;
    await clock.advance(200);
    expect(codes).toHaveLength(5);
    expect(codes[4]).toBe("Ok");
    for (const ledgerId of [0, 1, 5]) expect(await textAt(storage, ledgerId, 0)).toHaveLength(520 * 1024);
  });

  it("takes nothing more once the journal failed, and still reads", async () => {
    const disk = new CountingDisk();
    const { storage } = await StorageFixture.open({}, disk);
    await add(storage, [entryOf(1, 0)]);
    disk.failing = "journal/";
    expect(await add(storage, [entryOf(1, 1)])).toBe("StorageFailed");
    disk.failing = undefined;
    expect(await add(storage, [entryOf(1, 2)])).toBe("StorageFailed");
    await expect(storage.fence(1)).rejects.toMatchObject({ code: "Failed" });
    expect(await textAt(storage, 1, 0)).toBe("1:0");
  });

  it("counts ledgers and bytes as they come and go, across a restart too", async () => {
    const fixture = await StorageFixture.open();
    await add(fixture.storage, [entryOf(1, 0, "abc"), entryOf(1, 0, "abc"), entryOf(2, 0, "de")]);
    expect([fixture.storage.ledgerCount, fixture.storage.heldBytes]).toEqual([2, 5]);
    await fixture.storage.delete(1);
    for (const reopen of [() => fixture.crash(), () => fixture.restart(), () => fixture.crash("lost")]) {
      expect([fixture.storage.ledgerCount, fixture.storage.heldBytes]).toEqual([1, 2]);
      await reopen();
    }
  });
});

describe("reading", () => {
  it("finds entries in the write cache, after a checkpoint in entry logs, and then in the read cache", async () => {
    const disk = new CountingDisk();
    const { storage } = await StorageFixture.open({}, disk);
    await add(storage, [...entriesOf(1, 0, 199), ...entriesOf(2, 0, 9)]);
    disk.reads.length = 0;
    expect(await textsOf(storage, 1, 0, 199)).toEqual(textsFrom(1, 0, 199));
    expect(disk.reads).toEqual([]);
    await storage.checkpoint();
    expect(await textsOf(storage, 1, 0, 99)).toEqual(textsFrom(1, 0, 99));
    expect(disk.reads).toEqual(["entry-logs/0000000001.log"]);
    expect(await textsOf(storage, 1, 0, 199)).toEqual(textsFrom(1, 0, 199));
    expect(await textsOf(storage, 2, 0, 9)).toEqual(textsFrom(2, 0, 9));
    expect(disk.reads).toHaveLength(3);
  });

  it("reads again what the read cache let go", async () => {
    const disk = new CountingDisk();
    const { storage } = await StorageFixture.open({ dbStorage_readAheadCacheMaxSizeMb: 1 }, disk);
    const text = "x".repeat(100_000);
    await add(storage, entriesOf(1, 0, 29, text));
    await storage.checkpoint();
    disk.reads.length = 0;
    for (let round = 0; round < 2; round++) {
      for (let entryId = 0; entryId < 30; entryId++) expect(await textAt(storage, 1, entryId)).toBe(text);
    }
    expect(disk.reads).toHaveLength(30);
  });

  it("tells a missing entry from a missing ledger, in memory and on disk", async () => {
    const { storage } = await StorageFixture.open();
    await add(storage, [entryOf(1, 0), entryOf(1, 2)]);
    await storage.fence(9);
    for (let round = 0; round < 2; round++) {
      expect(await textsOf(storage, 1, 0, 3)).toEqual(["1:0", "NoSuchEntry", "1:2", "NoSuchEntry"]);
      expect(await textAt(storage, 9, 0)).toBe("NoSuchEntry");
      expect(await textAt(storage, 7, 0)).toBe("NoSuchLedger");
      expect([1, 7, 9].map((id) => storage.lastAddConfirmed(id))).toEqual([1, "NoSuchLedger", "NoSuchLedger"]);
      await storage.checkpoint();
    }
  });

  it("finds entries that came out of order and more than once", async () => {
    const fixture = await StorageFixture.open();
    const { storage } = fixture;
    await add(
      storage,
      [5, 3, 4, 9].map((id) => entryOf(1, id)),
    );
    await storage.checkpoint();
    await add(
      storage,
      [4, 6, 0, 7].map((id) => entryOf(1, id)),
      true,
    );
    await storage.checkpoint();
    await add(
      storage,
      [3, 8].map((id) => entryOf(1, id)),
      true,
    );
    await storage.checkpoint();
    const wanted = ["1:0", "NoSuchEntry", "NoSuchEntry", ...textsFrom(1, 3, 9)];
    expect(await textsOf(storage, 1, 0, 9)).toEqual(wanted);
    expect(await textsOf(await fixture.crash("lost"), 1, 0, 9)).toEqual(wanted);
  });

  it("never serves an entry whose bytes changed on the disk, and says so", async () => {
    const fixture = await StorageFixture.open();
    await add(fixture.storage, entriesOf(1, 0, 4, "payload"));
    await fixture.storage.checkpoint();
    const log = "entry-logs/0000000001.log";
    const record = 52 + "payload".length;
    await fixture.flipByte(log, 16 + 2 * record + 55);
    expect(await textsOf(fixture.storage, 1, 0, 2)).toEqual(["payload", "payload", "StorageFailed"]);
  });
});

describe("deleting", () => {
  it("serves what stands beside a damaged entry, and the entry itself once it is written again", async () => {
    const fixture = await StorageFixture.open();
    await add(fixture.storage, entriesOf(1, 0, 9));
    await fixture.storage.checkpoint();
    const storage = await fixture.crash();
    const [log] = await fixture.disk.list("entry-logs");
    const file = await fixture.disk.open(`entry-logs/${log}`);
    const bytes = await file.read(0, file.sizeBytes);
    const text = new TextDecoder("latin1").decode(bytes);
    const at = text.indexOf("1:4");
    await file.truncate(at);
    const rest = bytes.slice(at);
    rest[0] = 120;
    await file.append(rest);
    const expected = textsFrom(1, 0, 9);
    expected[4] = "StorageFailed";
    expect(await textsOf(storage, 1, 0, 9)).toEqual(expected);
    await add(storage, [entryOf(1, 4)], true);
    expect(await textsOf(storage, 1, 0, 9)).toEqual(textsFrom(1, 0, 9));
    await storage.checkpoint();
    expect(await textsOf(await fixture.crash(), 1, 0, 9)).toEqual(textsFrom(1, 0, 9));
  });

  it("forgets a ledger at once, and for good", async () => {
    const fixture = await StorageFixture.open();
    await add(fixture.storage, entriesOf(1, 0, 9));
    await fixture.storage.checkpoint();
    await add(fixture.storage, [...entriesOf(1, 10, 19), ...entriesOf(2, 0, 9)]);
    expect(await textAt(fixture.storage, 1, 3)).toBe("1:3");
    await fixture.storage.delete(1);
    await fixture.storage.delete(77);
    for (const reopen of [() => fixture.crash(), () => fixture.restart(), () => fixture.crash("lost")]) {
      expect(await textsOf(fixture.storage, 1, 8, 11)).toEqual(Array(4).fill("NoSuchLedger"));
      expect(await textsOf(fixture.storage, 2, 0, 9)).toEqual(textsFrom(2, 0, 9));
      await reopen();
    }
  });

  it("removes entry logs of which all ledgers are gone, once a checkpoint does without them", async () => {
    const { storage, disk } = await StorageFixture.open({ logSizeLimit: 10_000 });
    for (let ledgerId = 1; ledgerId <= 4; ledgerId++) {
      await add(storage, entriesOf(ledgerId, 0, 3, "x".repeat(3000)));
      await storage.checkpoint();
    }
    const before = await disk.list("entry-logs");
    expect(before.length).toBeGreaterThan(3);
    await storage.delete(1);
    await storage.delete(2);
    expect(await disk.list("entry-logs")).toEqual(before);
    await storage.checkpoint();
    expect((await disk.list("entry-logs")).length).toBeLessThan(before.length);
    expect(await textsOf(storage, 3, 0, 3)).toEqual(Array(4).fill("x".repeat(3000)));
  });

  it("is remembered through a crash: an add that comes late does not bring a ledger back", async () => {
    const fixture = await StorageFixture.open();
    await add(fixture.storage, entriesOf(1, 0, 5));
    await fixture.storage.checkpoint();
    await fixture.storage.delete(1);
    await fixture.crash();
    const storage = await fixture.crash();
    expect(await add(storage, [entryOf(1, 9)], true)).toEqual(["NoSuchLedger"]);
  });
});

describe("compacting", () => {
  it("copies what lives in a log that mostly does not, and removes the log", async () => {
    const fixture = await StorageFixture.open({ logSizeLimit: 20_000 });
    const { storage, disk } = fixture;
    const text = "y".repeat(500);
    await add(storage, [...entriesOf(1, 0, 30, text), ...entriesOf(2, 0, 5, text)]);
    await storage.checkpoint();
    await add(storage, entriesOf(3, 0, 40, text));
    await storage.checkpoint();
    await storage.delete(1);
    await storage.compact(0.1);
    expect(await disk.list("entry-logs")).toContain("0000000001.log");
    await storage.compact(0.5);
    expect(await disk.list("entry-logs")).not.toContain("0000000001.log");
    for (const reopen of [() => fixture.crash(), () => fixture.crash("lost"), () => fixture.restart()]) {
      expect(await textsOf(fixture.storage, 2, 0, 6)).toEqual([...Array(6).fill(text), "NoSuchEntry"]);
      expect(await textsOf(fixture.storage, 3, 0, 40)).toEqual(Array(41).fill(text));
      await reopen();
    }
  });

  it("happens by itself, every minorCompactionInterval", async () => {
    const { storage, disk, clock } = await StorageFixture.open({ logSizeLimit: 5000, minorCompactionInterval: 60 });
    await add(storage, [...entriesOf(1, 0, 9, "z".repeat(480)), entryOf(2, 0)]);
    await storage.checkpoint();
    await add(storage, entriesOf(3, 0, 9, "z".repeat(480)));
    await storage.delete(1);
    await clock.advance(60_000);
    expect(await disk.list("entry-logs")).not.toContain("0000000001.log");
    expect(await textAt(storage, 2, 0)).toBe("2:0");
  });
});
