import { createMemoryDisk, ManualClock } from "@pulsewire/runtime";
import { describe, expect, it } from "vitest";
import { UnreliableMetadata } from "../../metadata/unreliable-metadata-fixture.ts";
import { BookKeeperFixture, bytesOf } from "../bookkeeper-fixture.ts";
import type { LedgerWriter } from "../client/ledger-writer.ts";
import { startBookie } from "./bookie.ts";
import { DeletedLedgers, type LedgersBefore } from "./deleted-ledgers.ts";
import { DiskLedgerStorage } from "./disk-ledger-storage.ts";
import type { LedgerStorage } from "./ledger-storage.ts";
import { LedgerTable } from "./ledger-table.ts";
import { MemoryLedgerStorage } from "./memory-ledger-storage.ts";
import { entryOf, openMemoryIndex } from "./storage-fixture.ts";

const REMEMBERED_MAX = 10_000;

describe("deleted ledgers", () => {
  it("are remembered one by one, the latest of too many, and of the others up to where they went", () => {
    const deleted = new DeletedLedgers();
    for (let id = 0; id < REMEMBERED_MAX; id++) deleted.add(2 * id);
    expect(deleted.forgottenUpTo).toBe(-1);
    expect(deleted.has(0)).toBe(true);
    deleted.add(2 * REMEMBERED_MAX);
    expect(deleted.has(2 * REMEMBERED_MAX)).toBe(true);
    const { forgottenUpTo } = deleted;
    expect(deleted.has(forgottenUpTo)).toBe(false);
    expect(deleted.has(forgottenUpTo + 2)).toBe(true);
    expect([...deleted.ids()].length).toBeGreaterThanOrEqual(REMEMBERED_MAX / 2);
  });

  it("that were forgotten are still known to be some after a restart", () => {
    const table = new LedgerTable();
    for (let id = 0; id <= REMEMBERED_MAX; id++) table.delete(id);
    const next = new LedgerTable();
    next.restore(table.snapshot());
    expect(next.mayBeForgotten(0)).toBe(true);
    expect(next.isDeleted(REMEMBERED_MAX)).toBe(true);
    expect(next.mayBeForgotten(REMEMBERED_MAX)).toBe(false);
    expect(next.mayBeForgotten(REMEMBERED_MAX + 1)).toBe(false);
  });
});

const STORAGES: Record<string, (before: LedgersBefore) => Promise<LedgerStorage>> = {
  "in memory": async (before) => new MemoryLedgerStorage(before),
  "on a disk": async (before) => {
    const [disk, clock, index] = [createMemoryDisk(), new ManualClock(), await openMemoryIndex()];
    return DiskLedgerStorage.open({ disk, clock, index, ledgersBefore: async () => before });
  },
};

describe.each(Object.keys(STORAGES))("a bookie that has forgotten what was deleted, %s", (where) => {
  const QUORUM = { ensembleSize: 1, writeQuorum: 1, ackQuorum: 1 };

  /** A writer of a ledger that was deleted, and one of a ledger that was not, before their bookie lost all. */
  async function start() {
    const fixture = await BookKeeperFixture.start(1);
    const { clock, messenger, bookies } = fixture;
    const { bookkeeper } = fixture.node();
    const [deleted, kept] = [await bookkeeper.createLedger(QUORUM), await bookkeeper.createLedger(QUORUM)];
    await fixture.node().bookkeeper.deleteLedger(deleted.ledgerId);
    await bookies[0]?.stop();
    const metadata = new UnreliableMetadata(fixture.metadata.session());
    const storage = await STORAGES[where]?.({ ids: [], lastId: kept.ledgerId });
    const bookie = await startBookie({ id: "bookie-0", messenger, metadata, storage: storage as LedgerStorage });
    await clock.settle();
    return { bookie, metadata, bookkeeper, deleted, kept };
  }

  const write = (writer: LedgerWriter): Promise<string> =>
    new Promise((resolve) => {
      writer.append(bytesOf("x"), { onAdded: () => resolve("stored"), onAddFailed: ({ code }) => resolve(code) });
    });

  it("refuses the writer of a ledger that is gone, and asks metadata once", async () => {
    const { deleted, metadata, bookie } = await start();
    expect(await write(deleted)).toBe("LedgerFenced");
    expect(bookie.storage.ledgerCount).toBe(0);
    metadata.reads = "lost";
    expect(bookie.storage.mayBeForgotten(deleted.ledgerId)).toBe(false);
  });

  it("takes entries of a ledger that still exists, and asks metadata once", async () => {
    const { kept, metadata } = await start();
    expect(await write(kept)).toBe("stored");
    metadata.reads = "lost";
    expect(await write(kept)).toBe("stored");
  });

  it.each(["IN_RECOVERY", "CLOSED"] as const)(
    "refuses the writer of a ledger that is %s, and takes copies: it may have forgotten the fence",
    async (state) => {
      const { kept, bookie, bookkeeper } = await start();
      const ledger = await bookkeeper.readMetadata(kept.ledgerId);
      await bookkeeper.ledgers.update(ledger, { ...ledger.metadata, state });
      const copy = { type: "add", entries: [entryOf(kept.ledgerId, 0)], recovery: true } as const;
      const copied = bookkeeper.pool.link(bookie.id).call((requestId) => ({ ...copy, requestId }));
      expect(await Promise.all([write(kept), copied])).toMatchObject(["LedgerFenced", { codes: "Ok" }]);
    },
  );

  it("takes no entries of either while metadata does not answer", async () => {
    const { kept, deleted, metadata, bookie } = await start();
    metadata.reads = "lost";
    expect(await Promise.all([write(kept), write(deleted)])).not.toContain("stored");
    expect(bookie.storage.ledgerCount).toBe(0);
  });

  it("takes entries of ledgers made since without asking", async () => {
    const { bookkeeper, metadata } = await start();
    const next = await bookkeeper.createLedger(QUORUM);
    metadata.reads = "lost";
    expect(await write(next)).toBe("stored");
  });
});
