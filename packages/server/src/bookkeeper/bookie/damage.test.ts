import { describe, expect, it } from "vitest";
import { DiskLedgerStorage } from "./disk-ledger-storage.ts";
import type { IndexLevel } from "./location-index.ts";
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
import { FIRST_JOURNAL, HEAD, HEADER, RECORD, startOf, threeGroups } from "./three-groups-fixture.ts";

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
        fixture.damage.length = 0;
        const storage = await fixture.crash();
        expect(fixture.damage).toEqual(["index 0-0 any"]);
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
