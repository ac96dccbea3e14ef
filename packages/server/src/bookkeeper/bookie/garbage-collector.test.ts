import { expect, it } from "vitest";
import { BookKeeperFixture, bytesOf } from "../bookkeeper-fixture.ts";
import { startBookie } from "./bookie.ts";

const QUORUM = { ensembleSize: 3, writeQuorum: 3, ackQuorum: 2 };

it("ledgers whose deletion did not reach a bookie are forgotten, and no others; without metadata none are", async () => {
  const fixture = await BookKeeperFixture.start(2);
  const { clock, messenger, metadata } = fixture;
  const errors: unknown[] = [];
  const bookie = await startBookie({
    id: "bookie-2",
    messenger,
    metadata: metadata.session(),
    clock,
    gcWaitTimeMs: 60_000,
    onError: (error) => errors.push(error),
  });
  const { bookkeeper } = fixture.node();
  const writers = await Promise.all([bookkeeper.createLedger(QUORUM), bookkeeper.createLedger(QUORUM)]);
  const ignored = { onAdded: () => undefined, onAddFailed: () => undefined };
  for (const writer of writers) for (let i = 0; i < 5; i++) writer.append(bytesOf("0123456789"), ignored);
  await clock.settle();
  const [kept, deleted] = writers.map(({ ledgerId }) => ledgerId) as [number, number];
  messenger.rule = (_from, to) => (to === "bookie-2" ? "lose" : "pass");
  await bookkeeper.deleteLedger(deleted);
  messenger.release();
  await clock.advance(59_000);
  expect([...bookie.storage.ledgerIds()]).toEqual([kept, deleted]);

  metadata.available = false;
  await clock.advance(2_000);
  expect(bookie.storage.ledgerCount).toBe(2);
  metadata.available = true;
  await clock.advance(60_000);
  expect([...bookie.storage.ledgerIds()]).toEqual([kept]);
  expect(bookie.storage.heldBytes).toBe(50);
  expect(errors).toEqual([]);
});
