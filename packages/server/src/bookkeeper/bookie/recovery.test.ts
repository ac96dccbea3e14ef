import { createMemoryDisk, ManualClock } from "@pulsewire/runtime";
import { describe, expect, it } from "vitest";
import type { LedgersBefore } from "./deleted-ledgers.ts";
import { DiskLedgerStorage } from "./disk-ledger-storage.ts";
import type { IndexLevel } from "./location-index.ts";
import { MemoryLedgerStorage } from "./memory-ledger-storage.ts";
import {
  add,
  entriesOf,
  entryOf,
  openMemoryIndex,
  StorageFixture,
  textAt,
  textsFrom,
  textsOf,
} from "./storage-fixture.ts";

const FIRST_JOURNAL = "journal/0000000001.journal";
/** File header, then for each group its own head and the records. */
const HEADER = 16;
const HEAD = 52;
/** Of an entry whose text is `1:0` or the like. */
const RECORD = HEAD + 3;

/** Three groups of two entries of a ledger each. */
async function threeGroups(): Promise<StorageFixture> {
  const fixture = await StorageFixture.open({ journalPreAllocSizeMB: 0.25 });
  for (let ledgerId = 1; ledgerId <= 3; ledgerId++) await add(fixture.storage, entriesOf(ledgerId, 0, 1));
  return fixture;
}

/** Of a journal, less the room that is kept for what comes next. */
function withoutRoom(bytes: Uint8Array): Uint8Array {
  return bytes.subarray(0, bytes.findLastIndex((byte) => byte !== 0) + 1);
}

const GROUP = HEAD + 2 * RECORD;
const startOf = (group: number): number => HEADER + group * GROUP;

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

describe("damage in what was synced", () => {
  it("of an entry is told, and only its ledger does not know any more what it had", async () => {
    const fixture = await threeGroups();
    await fixture.flipByte(FIRST_JOURNAL, startOf(0) + HEAD + RECORD + HEAD + 1);
    const storage = await fixture.crash();
    const damaged = startOf(0) + HEAD + RECORD;
    expect(fixture.damage).toEqual([`${FIRST_JOURNAL} ${damaged}-${damaged + RECORD} 1`]);
    expect(await textsOf(storage, 1, 0, 2)).toEqual(["1:0", "StorageFailed", "StorageFailed"]);
    expect(await textsOf(storage, 2, 0, 2)).toEqual(["2:0", "2:1", "NoSuchEntry"]);
    expect(await add(storage, [entryOf(1, 1)])).toEqual(["StorageFailed"]);
    expect(await add(storage, [entryOf(1, 1)], true)).toBe("Ok");
    expect(await textAt(storage, 1, 1)).toBe("1:1");
  });

  it("of a record's head is told, and of no ledger is said that it has no such entry", async () => {
    const fixture = await threeGroups();
    await fixture.flipByte(FIRST_JOURNAL, startOf(1) + HEAD + 20);
    let storage = await fixture.crash();
    expect(fixture.damage).toEqual([`${FIRST_JOURNAL} ${startOf(1) + HEAD}-${startOf(2)} any`]);
    for (let round = 0; round < 2; round++) {
      expect(await textsOf(storage, 1, 0, 2)).toEqual(["1:0", "1:1", "StorageFailed"]);
      expect(await textAt(storage, 2, 0)).toBe("StorageFailed");
      expect(storage.lastAddConfirmed(2)).toBe("StorageFailed");
      expect(await textsOf(storage, 3, 0, 1)).toEqual(textsFrom(3, 0, 1));
      await storage.checkpoint();
      storage = await fixture.crash("lost");
    }
  });

  it("leaves ledgers alone that begin after it", async () => {
    const fixture = await threeGroups();
    await fixture.flipByte(FIRST_JOURNAL, startOf(1) + 20);
    const storage = await fixture.crash();
    expect(await add(storage, [entryOf(9, 0), entryOf(8, 5)])).toEqual(["Ok", "StorageFailed"]);
    expect(await textsOf(storage, 9, 0, 1)).toEqual(["9:0", "NoSuchEntry"]);
  });

  it("of the index is told, and it is made anew: whatever bit of whatever key or value flips", async () => {
    const fixture = await threeGroups();
    await fixture.storage.checkpoint();
    const expected = await Promise.all([1, 2, 3].map((id) => textsOf(fixture.storage, id, 0, 2)));
    for (const where of ["key", "value"] as const) {
      for (let bit = 8; bit < 8 * 12; bit += 5) {
        const index = fixture.index as IndexLevel;
        const [key, value] = (await index.iterator({ gt: Uint8Array.of(0), limit: 1 }).next()) as [
          Uint8Array,
          Uint8Array,
        ];
        const flipped = new Uint8Array(where === "key" ? key : value);
        flipped[bit >>> 3] = (flipped[bit >>> 3] as number) ^ (1 << (bit & 7));
        if (where === "key") {
          await index.del(key);
          await index.put(flipped, value);
        } else await index.put(key, flipped);
        fixture.errors.length = 0;
        const storage = await fixture.crash();
        expect(String(fixture.errors[0])).toContain("the index is damaged; it is made anew from the entry logs");
        expect(await Promise.all([1, 2, 3].map((id) => textsOf(storage, id, 0, 2)))).toEqual(expected);
      }
    }
  });

  it("of the index under a storage that runs is a failure, and not an entry that never was", async () => {
    const fixture = await threeGroups();
    await fixture.storage.checkpoint();
    const index = fixture.index as IndexLevel;
    for await (const [key, value] of index.iterator({ gt: Uint8Array.of(0) })) {
      await index.put(
        key,
        value.map((byte, i) => (i === 3 ? byte ^ 7 : byte)),
      );
    }
    expect(await textsOf(fixture.storage, 1, 0, 1)).toEqual(["StorageFailed", "StorageFailed"]);
  });

  it("of a whole journal file is told", async () => {
    const fixture = await threeGroups();
    await fixture.crash();
    await add(fixture.storage, [entryOf(4, 0)]);
    await fixture.disk.remove(FIRST_JOURNAL);
    const storage = await fixture.crash();
    expect(fixture.damage).toEqual([`${FIRST_JOURNAL} 0-0 any`]);
    expect([await textAt(storage, 1, 0), await textAt(storage, 4, 0)]).toEqual(["StorageFailed", "4:0"]);
  });

  it("of an entry log is told where the index has to be made anew", async () => {
    const fixture = await threeGroups();
    await fixture.storage.checkpoint();
    await fixture.flipByte("entry-logs/0000000001.log", HEADER + RECORD + 20);
    const storage = await fixture.crash("lost");
    expect(fixture.damage).toEqual([`entry-logs/0000000001.log ${HEADER + RECORD}-${HEADER + 2 * RECORD} any`]);
    expect(await textsOf(storage, 1, 0, 2)).toEqual(["1:0", "StorageFailed", "StorageFailed"]);
    expect(await textsOf(storage, 3, 0, 1)).toEqual(textsFrom(3, 0, 1));
    // with its index made anew the log is not read through again, however soon the process ends
    const later = await fixture.crash();
    expect(await textsOf(later, 1, 0, 2)).toEqual(["1:0", "StorageFailed", "StorageFailed"]);
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

describe("a checkpoint that is of no use", () => {
  const spoil: Record<string, (fixture: StorageFixture) => Promise<void>> = {
    "is damaged": (fixture) => fixture.flipByte("checkpoint", 60),
    "is empty": (fixture) => fixture.rewrite("checkpoint", () => new Uint8Array(0)),
    "is missing": (fixture) => fixture.disk.remove("checkpoint"),
  };

  it.each(Object.keys(spoil))(
    "%s: what logs and journal have is served, and nothing is said not to be there",
    async (how) => {
      const fixture = await threeGroups();
      await fixture.storage.fence(2);
      await fixture.storage.checkpoint();
      await add(fixture.storage, [entryOf(1, 2), entryOf(4, 0)]);
      await spoil[how]?.(fixture);
      let storage = await fixture.crash();
      expect(fixture.damage).toEqual(["checkpoint 0-0 any"]);
      for (let round = 0; round < 4; round++) {
        for (const ledgerId of [2, 3]) {
          expect(await textsOf(storage, ledgerId, 0, 2)).toEqual([...textsFrom(ledgerId, 0, 1), "StorageFailed"]);
        }
        expect(await textsOf(storage, 1, 0, 3)).toEqual([...textsFrom(1, 0, 2), "StorageFailed"]);
        expect([await textAt(storage, 4, 0), await textAt(storage, 9, 0)]).toEqual(["4:0", "StorageFailed"]);
        expect(storage.lastAddConfirmed(1)).toBe(1);
        expect(await add(storage, [entryOf(2, 2), entryOf(3, 2)])).toEqual(["LedgerFenced", "StorageFailed"]);
        storage = await (round === 1 ? fixture.restart() : fixture.crash(round === 2 ? "lost" : "kept"));
      }
      expect(fixture.damage).toHaveLength(1);
      expect(await add(storage, [entryOf(3, 2)], true)).toBe("Ok");
      expect(await textAt(storage, 3, 2)).toBe("3:2");
    },
  );

  it("and the ledgers it may have had that nothing is left of are in doubt", async () => {
    const fixture = await threeGroups();
    await fixture.disk.remove("checkpoint");
    const index = await openMemoryIndex();
    const { disk, clock } = fixture;
    const storage = await DiskLedgerStorage.open({
      disk,
      clock,
      index,
      ledgersBefore: async () => ({ ids: [3, 7], lastId: 7 }),
    });
    expect([3, 7].map((ledgerId) => storage.isDoubtful(ledgerId))).toEqual([true, true]);
    expect(await textsOf(storage, 3, 0, 1)).toEqual(textsFrom(3, 0, 1));
    expect(await textAt(storage, 7, 0)).toBe("StorageFailed");
  });

  it("is refused where it is of another version", async () => {
    const fixture = await threeGroups();
    await fixture.rewrite("checkpoint", () => new TextEncoder().encode("pulsewire-checkpoint 2 00000000\n{}"));
    await expect(fixture.crash()).rejects.toMatchObject({ code: "Foreign" });
  });
});

describe("an entry log", () => {
  const LOG = "entry-logs/0000000001.log";

  /** Ledger 1 in a log that is full, ledger 2 in the one after it. */
  async function twoLogs(): Promise<StorageFixture> {
    const fixture = await StorageFixture.open({ logSizeLimit: 1024 });
    await add(fixture.storage, entriesOf(1, 0, 18));
    await fixture.storage.checkpoint();
    await add(fixture.storage, entriesOf(2, 0, 4));
    await fixture.storage.checkpoint();
    expect(await fixture.disk.list("entry-logs")).toHaveLength(2);
    return fixture;
  }

  it.each(["kept", "lost"] as const)(
    "that is missing: its entries cannot be read until they are given again, index %s",
    async (index) => {
      const fixture = await twoLogs();
      await fixture.disk.remove(LOG);
      let storage = await fixture.crash(index);
      expect(fixture.damage).toEqual([expect.stringMatching(`^${LOG} 0-\\d+ any$`)]);
      for (let round = 0; round < 3; round++) {
        expect(await textsOf(storage, 1, 0, 19)).toEqual(Array(20).fill("StorageFailed"));
        expect(await textsOf(storage, 2, 0, 4)).toEqual(textsFrom(2, 0, 4));
        expect(await add(storage, [entryOf(1, 19)])).toEqual(["StorageFailed"]);
        if (round === 0) await add(storage, [entryOf(3, 0)], true);
        storage = await (round === 0 ? fixture.restart() : fixture.crash());
      }
      expect(fixture.damage).toHaveLength(1);
      await add(storage, entriesOf(1, 0, 18), true);
      storage = await fixture.restart();
      expect(await textsOf(storage, 1, 0, 19)).toEqual([...textsFrom(1, 0, 18), "StorageFailed"]);
    },
  );

  it("that lost its end serves what is before, and is written on after it", async () => {
    const fixture = await threeGroups();
    await fixture.storage.checkpoint();
    await fixture.rewrite(LOG, (bytes) => bytes.slice(0, -1));
    let storage = await fixture.crash();
    expect(fixture.damage).toEqual([`${LOG} ${HEADER + 5 * RECORD}-${HEADER + 6 * RECORD} any`]);
    for (const index of ["kept", "lost"] as const) {
      expect(await textsOf(storage, 1, 0, 1)).toEqual(textsFrom(1, 0, 1));
      expect(await textsOf(storage, 3, 0, 2)).toEqual(["3:0", "StorageFailed", "StorageFailed"]);
      await add(storage, entriesOf(4, 0, 3), true);
      await storage.checkpoint();
      storage = await fixture.crash(index);
    }
    expect(await textsOf(storage, 4, 0, 3)).toEqual(textsFrom(4, 0, 3));
    await add(storage, [entryOf(3, 1)], true);
    expect(await textsOf(storage, 3, 0, 1)).toEqual(textsFrom(3, 0, 1));
  });

  it("whose ledger map cannot be read has lost nothing", async () => {
    const fixture = await twoLogs();
    await fixture.rewrite(LOG, (bytes) => {
      bytes[bytes.length - 10] = 0xee;
      return bytes;
    });
    const storage = await fixture.crash();
    expect(fixture.damage).toEqual([]);
    expect(await textsOf(storage, 1, 0, 19)).toEqual([...textsFrom(1, 0, 18), "NoSuchEntry"]);
    await storage.delete(1);
    await storage.checkpoint();
    expect(await fixture.disk.list("entry-logs")).toEqual(["0000000002.log"]);
  });
});

describe("the doubt about a ledger", () => {
  /** Ledger 1 has lost its last entry; the others are whole. */
  async function oneInDoubt(): Promise<StorageFixture> {
    const fixture = await threeGroups();
    await fixture.flipByte(FIRST_JOURNAL, startOf(0) + HEAD + RECORD + HEAD + 1);
    await fixture.crash();
    expect([...fixture.storage.doubtfulIds()]).toEqual([1]);
    return fixture;
  }

  it.each(["a crash", "a checkpoint"])(
    "ends where it was given back what it lost, which survives %s: with its fence",
    async (what) => {
      const fixture = await oneInDoubt();
      // the damage is behind the checkpoint from here on
      await fixture.restart();
      await add(fixture.storage, [entryOf(1, 1)], true);
      await fixture.storage.endDoubt(1, true);
      const storage = what === "a crash" ? await fixture.crash() : await fixture.restart();
      expect([...storage.doubtfulIds()]).toEqual([]);
      expect(await textsOf(storage, 1, 0, 2)).toEqual(["1:0", "1:1", "NoSuchEntry"]);
      expect(await add(storage, [entryOf(1, 2)])).toEqual(["LedgerFenced"]);
      expect(fixture.damage).toHaveLength(1);
    },
  );

  it("does not end by what stands in a journal that is damaged itself", async () => {
    const fixture = await oneInDoubt();
    await fixture.restart();
    await add(fixture.storage, [entryOf(1, 1)], true);
    await fixture.storage.endDoubt(1, true);
    const journal = (await fixture.disk.list("journal")).at(-1);
    // what was given to it
    await fixture.flipByte(`journal/${journal}`, HEADER + HEAD + HEAD + 1);
    const storage = await fixture.crash();
    expect(fixture.damage).toHaveLength(2);
    expect(await textsOf(storage, 1, 0, 2)).toEqual(["1:0", "StorageFailed", "StorageFailed"]);
    expect(storage.losses).toBeGreaterThan(0);
  });

  it("that its checkpoint's loss brought does not end by what stands in the journal from before", async () => {
    const fixture = await oneInDoubt();
    await fixture.storage.fence(1);
    await fixture.restart();
    await add(fixture.storage, [entryOf(1, 1)], true);
    await fixture.storage.endDoubt(1, true);
    await fixture.flipByte("checkpoint", 40);
    for (let round = 0; round < 2; round++) {
      const storage = await fixture.crash();
      expect(await textAt(storage, 1, 5)).toBe("StorageFailed");
    }
    await fixture.storage.endDoubt(1, true);
    expect((await fixture.crash()).isDoubtful(1)).toBe(false);
  });

  it("that damage to an entry log brought does not end by what stands in the journal from before", async () => {
    const fixture = await oneInDoubt();
    await fixture.restart();
    await add(fixture.storage, [entryOf(1, 1)], true);
    await fixture.storage.endDoubt(1, true);
    await fixture.flipByte("entry-logs/0000000001.log", HEADER + 20);
    expect((await fixture.crash("lost")).isDoubtful(1)).toBe(true);
    expect(fixture.damage.at(-1)).toMatch(/^entry-logs/);
    expect((await fixture.crash("kept")).isDoubtful(1)).toBe(true);
  });

  it("does not go because the first of the copies given to it were there before a crash", async () => {
    const fixture = await threeGroups();
    // ledger 1 had two entries
    await fixture.flipByte(FIRST_JOURNAL, startOf(0) + HEAD + 20);
    const { disk, clock } = fixture;
    const ledgersBefore = async (): Promise<LedgersBefore> => ({ ids: [1, 2, 3], lastId: 3 });
    const open = async (): Promise<DiskLedgerStorage> =>
      DiskLedgerStorage.open({ disk, clock, index: await openMemoryIndex(), ledgersBefore });
    const before = await open();
    expect(before.isDoubtful(1)).toBe(true);
    expect(await add(before, [entryOf(1, 0)], true)).toBe("Ok");
    const storage = await open();
    expect(storage.isDoubtful(1)).toBe(true);
    expect(await textsOf(storage, 1, 0, 1)).toEqual(["1:0", "StorageFailed"]);
    expect(await add(storage, [entryOf(1, 1)])).toEqual(["StorageFailed"]);
  });

  it("takes no fence where the ledger is still written elsewhere", async () => {
    const fixture = await oneInDoubt();
    await fixture.storage.endDoubt(1, false);
    expect(await add(fixture.storage, [entryOf(1, 2)])).toBe("Ok");
  });

  it("reaches the ledgers that metadata says it had, where it is not known which lost some, and no other", async () => {
    const fixture = await threeGroups();
    await fixture.flipByte(FIRST_JOURNAL, startOf(1) + HEAD + 20);
    const { disk, clock } = fixture;
    let asked = 0;
    const ledgersBefore = async (): Promise<LedgersBefore> => ({ ids: [1, 2], lastId: 2 + 0 * asked++ });
    for (let round = 0; round < 2; round++) {
      const index = await openMemoryIndex();
      const storage = await DiskLedgerStorage.open({ disk, clock, index, ledgersBefore });
      // ledger 3 came after the damage
      expect([...storage.doubtfulIds()]).toEqual([1, 2]);
      const codes = await Promise.all([2, 3, 9].map((ledgerId) => textAt(storage, ledgerId, 5)));
      expect(codes).toEqual(["StorageFailed", "NoSuchEntry", "NoSuchLedger"]);
      await storage.checkpoint();
    }
    // what a checkpoint knows is not asked again
    expect(asked).toBe(1);
  });
});
