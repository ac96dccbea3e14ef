import { describe, expect, it } from "vitest";
import type { LedgersBefore } from "./deleted-ledgers.ts";
import { DiskLedgerStorage } from "./disk-ledger-storage.ts";
import { add, entryOf, openMemoryIndex, type StorageFixture, textAt, textsOf } from "./storage-fixture.ts";
import { FIRST_JOURNAL, HEAD, HEADER, RECORD, startOf, threeGroups } from "./three-groups-fixture.ts";

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
