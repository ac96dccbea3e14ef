import { createMemoryDisk, ManualClock } from "@pulsewire/runtime";
import { describe, expect, it } from "vitest";
import { DiskLedgerStorage } from "./disk-ledger-storage.ts";
import { MemoryLedgerStorage } from "./memory-ledger-storage.ts";
import { add, entryOf, openMemoryIndex, StorageFixture, textAt, textsFrom, textsOf } from "./storage-fixture.ts";
import {
  FIRST_JOURNAL,
  GROUP,
  HEAD,
  HEADER,
  RECORD,
  startOf,
  threeGroups,
  withoutRoom,
} from "./three-groups-fixture.ts";

describe("after a crash", () => {
  it("the journal is replayed, as often as it takes", async () => {
    const fixture = await threeGroups();
    await fixture.storage.fence(2);
    await fixture.storage.delete(3);
    for (let round = 0; round < 3; round++) {
      const storage = await fixture.crash(round === 1 ? "lost" : "kept");
      expect(await textsOf(storage, 1, 0, 2)).toEqual(["1:0", "1:1", "NoSuchEntry"]);
      expect(await textAt(storage, 3, 0)).toBe("NoSuchLedger");
      expect(storage.lastAddConfirmed(2)).toBe(0);
      expect(await add(storage, [entryOf(2, 2)])).toEqual(["LedgerFenced"]);
    }
    expect(fixture.damage).toEqual([]);
  });

  it("a journal larger than the write cache is moved to entry logs on the way", async () => {
    const fixture = await StorageFixture.open({ dbStorage_writeCacheMaxSizeMb: 64, journalMaxSizeMB: 1 });
    const text = "x".repeat(100_000);
    for (let i = 0; i < 30; i++) await add(fixture.storage, [entryOf(1, i, text)]);
    expect((await fixture.disk.list("journal")).length).toBeGreaterThan(2);
    const small = await StorageFixture.open({ dbStorage_writeCacheMaxSizeMb: 1 }, fixture.disk);
    expect(await small.disk.list("entry-logs")).toHaveLength(1);
    expect(await textsOf(small.storage, 1, 0, 29)).toEqual(Array(30).fill(text));
    await small.storage.checkpoint();
    expect(await textsOf(await small.crash("lost"), 1, 0, 29)).toEqual(Array(30).fill(text));
  });

  it("what comes after a checkpoint is replayed, and what came before is not needed any more", async () => {
    const fixture = await StorageFixture.open({ journalMaxSizeMB: 1 });
    for (let i = 0; i < 15; i++) await add(fixture.storage, [entryOf(1, i, "x".repeat(100_000))]);
    expect(await fixture.disk.list("journal")).toHaveLength(2);
    await fixture.storage.checkpoint();
    expect(await fixture.disk.list("journal")).toEqual(["0000000002.journal"]);
    await add(fixture.storage, [entryOf(2, 0)]);
    const storage = await fixture.crash();
    expect(await textAt(storage, 1, 14)).toHaveLength(100_000);
    expect(await textAt(storage, 2, 0)).toBe("2:0");
  });

  it("the checkpoint of an interval leaves nothing to replay, and an idle storage writes none", async () => {
    const fixture = await threeGroups();
    await fixture.clock.advance(60_000);
    const checkpoint = await fixture.bytesOf("checkpoint");
    await fixture.clock.advance(600_000);
    expect(await fixture.bytesOf("checkpoint")).toEqual(checkpoint);
    await fixture.rewrite(FIRST_JOURNAL, (bytes) => bytes.subarray(0, startOf(3)));
    expect(await textsOf(await fixture.crash(), 3, 0, 1)).toEqual(textsFrom(3, 0, 1));
    expect(fixture.damage).toEqual([]);
  });

  it.each(["kept", "lost"] as const)("a fence survives: journal and checkpoint, index %s", async (index) => {
    const fixture = await StorageFixture.open();
    await fixture.storage.fence(5);
    await fixture.crash(index);
    await fixture.storage.checkpoint();
    const storage = await fixture.crash(index);
    expect(await add(storage, [entryOf(5, 0)])).toEqual(["LedgerFenced"]);
    expect(await add(storage, [entryOf(5, 0)], true)).toBe("Ok");
  });

  it("entry logs that no checkpoint knows of are removed", async () => {
    const fixture = await threeGroups();
    const stray = await fixture.disk.open("entry-logs/0000000007.log");
    await stray.append(new Uint8Array(100));
    const storage = await fixture.crash();
    expect(await fixture.disk.list("entry-logs")).toEqual([]);
    await storage.checkpoint();
    expect(await fixture.disk.list("entry-logs")).toEqual(["0000000008.log"]);
  });
});

describe("a ledger that was deleted", () => {
  it("takes no entry after a crash, from the journal and from a checkpoint, known before or not", async () => {
    const fixture = await threeGroups();
    await fixture.storage.fence(2);
    await fixture.storage.delete(2);
    await fixture.storage.delete(9);
    for (let round = 0; round < 3; round++) {
      const storage = await fixture.crash("lost");
      expect(await add(storage, [entryOf(2, 2), entryOf(9, 0)])).toEqual(["NoSuchLedger", "NoSuchLedger"]);
      await storage.checkpoint();
    }
  });
});

describe("a journal that does not end well", () => {
  it("is cut where the room for its next groups begins, with what a group left there that was never synced", async () => {
    const fixture = await threeGroups();
    expect((await fixture.bytesOf(FIRST_JOURNAL)).length).toBeGreaterThan(256 * 1024);
    await fixture.rewrite(FIRST_JOURNAL, (bytes) => {
      bytes.set(bytes.subarray(startOf(0) + HEAD, startOf(1)), startOf(3) + HEAD);
      return bytes;
    });
    const storage = await fixture.crash();
    expect((await fixture.bytesOf(FIRST_JOURNAL)).length).toBe(startOf(3));
    expect(await textsOf(storage, 3, 0, 1)).toEqual(textsFrom(3, 0, 1));
    await storage.close();
    expect((await fixture.bytesOf("journal/0000000002.journal")).length).toBe(HEADER);
    expect(fixture.damage).toEqual([]);
  });

  it("has no room left in a file that another follows", async () => {
    const fixture = await StorageFixture.open({ journalMaxSizeMB: 1, journalPreAllocSizeMB: 1 });
    for (let i = 0; i < 40; i++) await add(fixture.storage, [entryOf(1, i, "x".repeat(30_000))]);
    expect(await fixture.disk.list("journal")).toHaveLength(2);
    const storage = await fixture.crash();
    expect(fixture.damage).toEqual([]);
    expect(await textAt(storage, 1, 39)).toHaveLength(30_000);
  });

  it("loses of the last group what is not whole, wherever it is cut", async () => {
    for (let cut = 1; cut < GROUP; cut++) {
      const fixture = await threeGroups();
      await fixture.rewrite(FIRST_JOURNAL, (bytes) => withoutRoom(bytes).slice(0, -cut));
      const storage = await fixture.crash();
      expect(await textsOf(storage, 2, 0, 1)).toEqual(textsFrom(2, 0, 1));
      expect(await textAt(storage, 3, 0)).toBe(cut <= RECORD ? "3:0" : "NoSuchLedger");
      await add(storage, [entryOf(4, 0)]);
      expect(await textAt(await fixture.crash(), 4, 0)).toBe("4:0");
      expect(fixture.damage).toEqual([]);
    }
  });

  it("is cut where the end was written in part, with other bytes there", async () => {
    const fixture = await threeGroups();
    await fixture.rewrite(FIRST_JOURNAL, (bytes) => bytes.fill(0, startOf(2) + HEAD + 10));
    const storage = await fixture.crash();
    expect(await textsOf(storage, 2, 0, 1)).toEqual(textsFrom(2, 0, 1));
    expect(await textAt(storage, 3, 0)).toBe("NoSuchLedger");
    expect((await fixture.bytesOf(FIRST_JOURNAL)).length).toBe(startOf(2) + HEAD);
    expect(fixture.damage).toEqual([]);
  });

  it("does not take a group inside a payload for one of its own", async () => {
    const fixture = await threeGroups();
    const journal = withoutRoom(await fixture.bytesOf(FIRST_JOURNAL));
    const text = String.fromCharCode(...journal);
    await add(fixture.storage, [entryOf(4, 0, text)]);
    await fixture.rewrite(FIRST_JOURNAL, (bytes) => withoutRoom(bytes).slice(0, -1));
    const storage = await fixture.crash();
    expect(fixture.damage).toEqual([]);
    expect(await textAt(storage, 4, 0)).toBe("NoSuchLedger");
  });

  it("may have a last file that was never begun", async () => {
    const fixture = await threeGroups();
    await fixture.rewrite(FIRST_JOURNAL, withoutRoom);
    await fixture.disk.open("journal/0000000002.journal");
    await fixture.crash();
    expect(await textsOf(fixture.storage, 3, 0, 1)).toEqual(textsFrom(3, 0, 1));
    await add(fixture.storage, [entryOf(4, 0)]);
    expect(await textAt(await fixture.crash(), 4, 0)).toBe("4:0");
    expect(fixture.damage).toEqual([]);
  });
});

describe("a folder with nothing in it, of a bookie that had ledgers", () => {
  it("has no word on what it does not find of them, and takes adds to them from recoveries alone", async () => {
    const disk = createMemoryDisk();
    const open = async (): Promise<DiskLedgerStorage> => {
      const index = await openMemoryIndex();
      return DiskLedgerStorage.open({
        disk,
        clock: new ManualClock(),
        index,
        ledgersBefore: async () => ({ ids: [1, 2], lastId: 2 }),
      });
    };
    await open();
    for (const storage of [await open(), new MemoryLedgerStorage({ ids: [1, 2], lastId: 2 })]) {
      expect(await Promise.all([1, 3].map((id) => textAt(storage, id, 0)))).toEqual(["StorageFailed", "NoSuchLedger"]);
      expect(storage.lastAddConfirmed(1)).toBe("StorageFailed");
      expect(await add(storage, [entryOf(1, 0), entryOf(3, 0)])).toEqual(["StorageFailed", "Ok"]);
      expect(await add(storage, [entryOf(1, 0)], true)).toBe("Ok");
      expect(await textsOf(storage, 1, 0, 1)).toEqual(["1:0", "StorageFailed"]);
      await storage.fence(2);
      expect(await add(storage, [entryOf(2, 0)])).toEqual(["LedgerFenced"]);
      await storage.delete(1);
      expect(await textAt(storage, 1, 0)).toBe("NoSuchLedger");
      await storage.close();
    }
  });
});
