import fc from "fast-check";
import { expect, test } from "vitest";
import { BookKeeperFixture, bytesOf, textOf } from "../bookkeeper-fixture.ts";
import type { BookKeeperError } from "./bookkeeper-error.ts";
import type { LedgerAppendListener } from "./pending-add.ts";

class Recorder implements LedgerAppendListener {
  readonly added: number[] = [];
  readonly errors: string[] = [];

  onAdded(entryId: number): void {
    this.added.push(entryId);
  }

  onAddFailed(error: BookKeeperError): void {
    this.errors.push(error.code);
  }
}

const QUORUM = { ensembleSize: 3, writeQuorum: 3, ackQuorum: 2 };

async function started() {
  const fixture = await BookKeeperFixture.start();
  const [writing, reading] = [fixture.node(), fixture.node()];
  const writer = await writing.bookkeeper.createLedger(QUORUM);
  return { fixture, writer, reading, recorder: new Recorder() };
}

test("recovery ends a ledger behind every acknowledged entry, and its writer gets nothing more", async () => {
  const { fixture, writer, reading, recorder } = await started();
  for (let i = 0; i < 20; i++) writer.append(bytesOf(`e${i}`), recorder);
  await fixture.clock.settle();
  const reader = await reading.bookkeeper.openLedger(writer.ledgerId);
  expect(reader.lastConfirmed).toBe(19);
  expect(reader.metadata).toMatchObject({ state: "CLOSED", lastEntryId: 19, lengthBytes: 10 * 2 + 10 * 3 });
  writer.append(bytesOf("zombie"), recorder);
  await fixture.clock.settle();
  expect(recorder.added).toHaveLength(20);
  expect(recorder.errors).toEqual(["LedgerFenced"]);
  expect(writer.failure?.code).toBe("LedgerFenced");
  // it ends where the writer would have ended it: nothing is wrong with that
  await writer.close();
  expect((await reader.read(0, 19)).map((e) => textOf(e.payload))).toEqual(
    Array.from({ length: 20 }, (_, i) => `e${i}`),
  );
});

test("an empty ledger is recovered to -1", async () => {
  const { writer, reading } = await started();
  const reader = await reading.bookkeeper.openLedger(writer.ledgerId);
  expect(reader.lastConfirmed).toBe(-1);
});

test("an entry on two of three bookies that its writer never heard of is found and written to all three", async () => {
  const { fixture, writer, reading, recorder } = await started();
  writer.append(bytesOf("a"), recorder);
  await fixture.clock.settle();
  fixture.messenger.rule = (_from, to) => (to === "bookie-2" || to === "broker-0" ? "lose" : "pass");
  writer.append(bytesOf("b"), recorder);
  await fixture.clock.settle();
  fixture.messenger.rule = () => "pass";
  const copies = (): number =>
    fixture.bookies.filter((b) => typeof b.storage.read(writer.ledgerId, 1) === "object").length;
  expect(copies()).toBe(2);
  const reader = await reading.bookkeeper.openLedger(writer.ledgerId);
  await fixture.clock.settle();
  expect(reader.lastConfirmed).toBe(1);
  expect(copies()).toBe(3);
  expect(recorder.added).toEqual([0]);
  await expect(writer.close()).rejects.toMatchObject({ code: "LedgerFenced" });
});

test("an entry that too few bookies have to be acknowledged does not stop a recovery", async () => {
  const { fixture, writer, reading, recorder } = await started();
  writer.append(bytesOf("a"), recorder);
  await fixture.clock.settle();
  fixture.messenger.rule = (_from, to) => (to === "bookie-1" || to === "bookie-2" ? "lose" : "pass");
  writer.append(bytesOf("b"), recorder);
  await fixture.clock.settle();
  fixture.messenger.rule = (from) => (from === "bookie-0" ? "lose" : "pass");
  const reader = await reading.bookkeeper.openLedger(writer.ledgerId);
  expect(reader.lastConfirmed).toBe(0);
});

test("one dead bookie of three does not stop a recovery, two do", async () => {
  const { fixture, writer, reading, recorder } = await started();
  for (let i = 0; i < 5; i++) writer.append(bytesOf(`e${i}`), recorder);
  await fixture.clock.settle();
  await fixture.addBookie();
  fixture.bookies[0]?.kill();
  const opening = reading.bookkeeper.openLedger(writer.ledgerId);
  await fixture.clock.advance(60_000);
  expect((await opening).lastConfirmed).toBe(4);

  const other = await started();
  other.writer.append(bytesOf("a"), other.recorder);
  await other.fixture.clock.settle();
  other.fixture.bookies[0]?.kill();
  other.fixture.bookies[1]?.kill();
  const failing = other.reading.bookkeeper.openLedger(other.writer.ledgerId);
  const outcome = expect(failing).rejects.toMatchObject({ code: "RecoveryFailed" });
  await other.fixture.clock.advance(60_000);
  await outcome;
});

test("recovery starts behind a fragment whose new members have nothing yet", async () => {
  const fixture = await BookKeeperFixture.start(6);
  const { bookkeeper } = fixture.node();
  const writer = await bookkeeper.createLedger({ ensembleSize: 3, writeQuorum: 3, ackQuorum: 3 });
  const recorder = new Recorder();
  for (let i = 0; i < 4; i++) writer.append(bytesOf(`e${i}`), recorder);
  await fixture.clock.settle();
  for (const id of writer.metadata.fragments[0]?.bookies ?? []) {
    await fixture.bookies.find((b) => b.id === id)?.setReadOnly(true);
  }
  fixture.messenger.rule = (_from, to, message) => {
    const type = (message as { type: string }).type;
    const old = writer.metadata.fragments[0]?.bookies.includes(to);
    return type === "add" && !old ? "lose" : "pass";
  };
  writer.append(bytesOf("lost"), recorder);
  await fixture.clock.settle();
  expect(writer.metadata.fragments.map((f) => f.firstEntryId)).toEqual([0, 4]);
  fixture.messenger.rule = () => "pass";
  const reader = await fixture.node().bookkeeper.openLedger(writer.ledgerId);
  expect(reader.lastConfirmed).toBe(3);
  expect(await reader.read(0, 3)).toHaveLength(4);
});

test("a recovery that dies half way takes nothing away from the next one", async () => {
  const fixture = await BookKeeperFixture.start(5);
  const [writing, dying, next] = [fixture.node(), fixture.node(), fixture.node()];
  const writer = await writing.bookkeeper.createLedger(QUORUM);
  const [a, , c] = writer.metadata.fragments[0]?.bookies ?? [];
  const recorder = new Recorder();
  fixture.messenger.rule = (_from, to) => (to === c ? "lose" : "pass");
  writer.append(bytesOf("acknowledged"), recorder);
  await fixture.clock.settle();
  expect(recorder.added).toEqual([0]);
  // it reads the entry and replaces b and c, which do not take it, with two that do not either
  fixture.messenger.rule = (_from, to, message) =>
    to !== a && (message as { type: string }).type === "add" ? "lose" : "pass";
  const outcome = dying.bookkeeper.openLedger(writer.ledgerId).catch((error: { code: string }) => error.code);
  await fixture.clock.advance(9_000);
  fixture.messenger.rule = (from, to) => (from === "broker-1" || to === "broker-1" ? "lose" : "pass");
  fixture.bookies.find((bookie) => bookie.id === a)?.kill();
  const opening = next.bookkeeper.openLedger(writer.ledgerId);
  await fixture.clock.advance(60_000);
  expect((await opening).lastConfirmed).toBe(0);
  expect(await outcome).toBe("NotEnoughBookies");
});

test("recoveries at the same time come to the same end", async () => {
  const { fixture, writer, recorder } = await started();
  for (let i = 0; i < 5; i++) writer.append(bytesOf(`e${i}`), recorder);
  await undefined;
  const readers = await Promise.all(
    [fixture.node(), fixture.node(), fixture.node()].map((n) => n.bookkeeper.openLedger(writer.ledgerId)),
  );
  expect(new Set(readers.map((r) => r.lastConfirmed)).size).toBe(1);
});

test("whatever is lost, held back or dead: recovery keeps every acknowledged entry and the zombie gets none after", async () => {
  const scenario = fc.record({
    batches: fc.array(fc.integer({ min: 1, max: 5 }), { minLength: 1, maxLength: 8 }),
    fates: fc.array(fc.constantFrom("pass", "pass", "pass", "hold", "lose"), { minLength: 1, maxLength: 40 }),
    dead: fc.option(fc.integer({ min: 0, max: 4 })),
    takeoverAt: fc.integer({ min: 0, max: 8 }),
    ensembleSize: fc.constantFrom(3, 5),
  });
  await fc.assert(
    fc.asyncProperty(scenario, async ({ batches, fates, dead, takeoverAt, ensembleSize }) => {
      const fixture = await BookKeeperFixture.start(6);
      const [writing, reading] = [fixture.node(), fixture.node()];
      const writer = await writing.bookkeeper.createLedger({ ensembleSize, writeQuorum: 3, ackQuorum: 2 });
      const recorder = new Recorder();
      let messages = 0;
      // only the writer's network is bad: the recovery's own must get through to be able to say anything
      fixture.messenger.rule = (from, to) =>
        from === "broker-0" || to === "broker-0" ? (fates[messages++ % fates.length] as "pass") : "pass";
      let recovered: { lastConfirmed: number } | undefined;
      for (const [i, count] of batches.entries()) {
        for (let k = 0; k < count; k++) writer.append(bytesOf(`e${k}`), recorder);
        if (i === takeoverAt) recovered = await reading.bookkeeper.openLedger(writer.ledgerId);
        await fixture.clock.settle();
        if (i % 3 === 2) await fixture.clock.advance(5_000);
      }
      if (dead !== null) fixture.bookies[dead]?.kill();
      fixture.messenger.release();
      await fixture.clock.advance(30_000);
      const opening = reading.bookkeeper.openLedger(writer.ledgerId);
      // all that needs no time first, however many turns it takes: none of it is to run into a timeout
      for (let i = 0; i < 20; i++) await fixture.clock.settle();
      await fixture.clock.advance(200_000);
      const reader = await opening;
      if (recovered !== undefined) expect(reader.lastConfirmed).toBe(recovered.lastConfirmed);
      expect(recorder.added).toEqual(recorder.added.map((_, i) => i));
      expect(reader.lastConfirmed).toBeGreaterThanOrEqual(recorder.added.length - 1);
      if (reader.lastConfirmed < 0) return;
      const reads = reader.read(0, reader.lastConfirmed);
      for (let i = 0; i < 20; i++) await fixture.clock.settle();
      await fixture.clock.advance(200_000);
      expect((await reads).map((e) => e.entryId)).toEqual(
        Array.from({ length: reader.lastConfirmed + 1 }, (_, i) => i),
      );
    }),
    { numRuns: 150 },
  );
});
