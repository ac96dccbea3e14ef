import { describe, expect, it } from "vitest";
import { BookKeeperFixture, bytesOf } from "../bookkeeper-fixture.ts";
import { BOOKIE_RACKS_KEY, encodeRackGroups } from "./bookie-racks.ts";

const QUORUM = { ensembleSize: 2, writeQuorum: 2, ackQuorum: 2 };
const ENFORCED = { bookkeeperClientEnforceMinNumRacksPerWriteQuorum: true };

/** Bookies 0, 1, … in racks, by what metadata says. */
async function start(racks: readonly string[]): Promise<BookKeeperFixture> {
  const fixture = await BookKeeperFixture.start(racks.length);
  await putRacks(fixture, racks);
  return fixture;
}

async function putRacks(fixture: BookKeeperFixture, racks: readonly string[]): Promise<void> {
  const bookies = Object.fromEntries(racks.map((rack, i) => [`bookie-${i}`, { rack }]));
  await fixture.metadata.session().put(BOOKIE_RACKS_KEY, encodeRackGroups({ default: bookies }));
  await fixture.clock.settle();
}

const rackOf = (racks: readonly string[], bookie: string | undefined): string | undefined =>
  racks[Number(bookie?.slice("bookie-".length))];

describe("racks as metadata has them", () => {
  it("hold for the ensembles of new ledgers, and for those of all ledgers made after a change", async () => {
    const racks = ["/a", "/a", "/a", "/b"];
    const fixture = await start(racks);
    const { bookkeeper } = fixture.node();
    for (let i = 0; i < 10; i++) {
      const { metadata } = await bookkeeper.createLedger(QUORUM);
      expect(metadata.fragments[0]?.bookies).toContain("bookie-3");
    }
    await putRacks(fixture, ["/b", "/a", "/a", "/a"]);
    for (let i = 0; i < 10; i++) {
      const { metadata } = await bookkeeper.createLedger(QUORUM);
      expect(metadata.fragments[0]?.bookies).toContain("bookie-0");
    }
  });

  it("hold when a bookie of an ensemble is replaced", async () => {
    const racks = ["/a", "/a", "/a", "/b", "/b", "/b"];
    for (let round = 0; round < 5; round++) {
      const fixture = await start(racks);
      const { bookkeeper } = fixture.node(ENFORCED);
      const writer = await bookkeeper.createLedger(QUORUM);
      const [lost, stays] = writer.metadata.fragments[0]?.bookies ?? [];
      const bookie = fixture.bookies.find(({ id }) => id === lost);
      await bookie?.stop();
      writer.append(bytesOf("x"), { onAdded: () => undefined, onAddFailed: () => undefined });
      await fixture.clock.settle();
      const now = writer.metadata.fragments.at(-1)?.bookies ?? [];
      expect(now).toContain(stays);
      expect(now).not.toContain(lost);
      expect(new Set(now.map((id) => rackOf(racks, id)))).toEqual(new Set(["/a", "/b"]));
    }
  });

  it("rather fail a ledger than put both copies in one rack, where that is asked for; the bookies of each rack are told", async () => {
    const fixture = await start(["/a", "/a", "/a", "/b"]);
    const { bookkeeper } = fixture.node(ENFORCED);
    const writer = await bookkeeper.createLedger(QUORUM);
    await fixture.bookies[3]?.setReadOnly(true);
    await expect(bookkeeper.createLedger(QUORUM)).rejects.toMatchObject({
      code: "NotEnoughBookies",
      message:
        "NotEnoughBookies: 2 needed, 3 take data, 3 of them can be used; each entry in 2 racks, usable by rack: /a 3 of 3",
    });
    const codes: string[] = [];
    writer.append(bytesOf("x"), { onAdded: () => codes.push("added"), onAddFailed: ({ code }) => codes.push(code) });
    await fixture.clock.settle();
    expect(codes).toEqual(["NotEnoughBookies"]);
    // without the rule one rack is better than none
    await fixture.node().bookkeeper.createLedger(QUORUM);
  });

  it("count regions first where regions count", async () => {
    const racks = ["/east/1", "/east/2", "/east/3", "/west/1"];
    const fixture = await start(racks);
    const { bookkeeper } = fixture.node({ bookkeeperClientRegionawarePolicyEnabled: true });
    for (let i = 0; i < 10; i++) {
      expect((await bookkeeper.createLedger(QUORUM)).metadata.fragments[0]?.bookies).toContain("bookie-3");
    }
  });
});
