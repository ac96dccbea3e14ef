import { deferred } from "@pulsewire/runtime";
import { expect, test } from "vitest";
import { BookKeeperFixture, bytesOf } from "../bookkeeper-fixture.ts";
import type { AddRequest, BookieRequest } from "../wire/messages.ts";
import type { BookKeeperError } from "./bookkeeper-error.ts";
import type { LedgerWriter } from "./ledger-writer.ts";
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

function appendMany(writer: LedgerWriter, count: number, listener: LedgerAppendListener): void {
  for (let i = 0; i < count; i++) writer.append(bytesOf(`e${writer.lastConfirmed + 1 + i}`), listener);
}

const upTo = (n: number): number[] => Array.from({ length: n }, (_, i) => i);
const isAdd = (message: unknown): message is AddRequest => (message as BookieRequest).type === "add";

test.each([
  [2, 3, 2],
  [3, 2, 3],
  [3, 3, 0],
  [3.5, 3, 2],
])("E=%d Qw=%d Qa=%d is refused", async (ensembleSize, writeQuorum, ackQuorum) => {
  const { bookkeeper } = (await BookKeeperFixture.start(5)).node();
  const created = bookkeeper.createLedger({ ensembleSize, writeQuorum, ackQuorum });
  await expect(created).rejects.toMatchObject({ code: "InvalidQuorum" });
});

test("too few bookies are an error that says how many there are", async () => {
  const fixture = await BookKeeperFixture.start(3);
  await fixture.bookies[0]?.setReadOnly(true);
  const created = fixture.node().bookkeeper.createLedger(QUORUM);
  await expect(created).rejects.toThrow("NotEnoughBookies: 3 needed, 2 take data");
});

test("with E=5 and Qw=3 entry n lies on the three members from place n mod 5 on", async () => {
  const fixture = await BookKeeperFixture.start(5);
  const writer = await fixture.node().bookkeeper.createLedger({ ensembleSize: 5, writeQuorum: 3, ackQuorum: 2 });
  const recorder = new Recorder();
  appendMany(writer, 20, recorder);
  await fixture.clock.settle();
  expect(recorder.added).toEqual(upTo(20));
  const ensemble = writer.metadata.fragments[0]?.bookies ?? [];
  for (let entryId = 0; entryId < 20; entryId++) {
    const holders = fixture.bookies.filter((b) => typeof b.storage.read(writer.ledgerId, entryId) === "object");
    const expected = [0, 1, 2].map((i) => ensemble[(entryId + i) % 5]);
    expect(holders.map((b) => b.id).sort()).toEqual(expected.sort());
  }
});

test("Qa confirmations are enough while one bookie is slow, and one less is not", async () => {
  const fixture = await BookKeeperFixture.start();
  const writer = await fixture.node().bookkeeper.createLedger(QUORUM);
  const recorder = new Recorder();
  const held = new Set(["bookie-0"]);
  fixture.messenger.rule = (from) => (held.has(from) ? "hold" : "pass");
  appendMany(writer, 3, recorder);
  await fixture.clock.settle();
  expect(recorder.added).toEqual([0, 1, 2]);
  held.add("bookie-1");
  appendMany(writer, 1, recorder);
  await fixture.clock.settle();
  expect(recorder.added).toEqual([0, 1, 2]);
  fixture.messenger.release();
  await fixture.clock.settle();
  expect(recorder.added).toEqual([0, 1, 2, 3]);
});

test("no entry is acknowledged before an earlier one, and the LAC rides on later entries", async () => {
  const fixture = await BookKeeperFixture.start(5);
  const writer = await fixture.node().bookkeeper.createLedger({ ensembleSize: 5, writeQuorum: 2, ackQuorum: 2 });
  const slow = writer.metadata.fragments[0]?.bookies[0];
  const recorder = new Recorder();
  fixture.messenger.rule = (from) => (from === slow ? "hold" : "pass");
  appendMany(writer, 4, recorder);
  await fixture.clock.settle();
  expect(recorder.added).toEqual([]);
  fixture.messenger.release();
  await fixture.clock.settle();
  expect(recorder.added).toEqual([0, 1, 2, 3]);
  appendMany(writer, 1, recorder);
  await fixture.clock.settle();
  const entry = fixture.bookies.map((b) => b.storage.read(writer.ledgerId, 4)).find((e) => typeof e === "object");
  expect(entry).toMatchObject({ entryId: 4, lac: 3 });
});

test("adds of one turn leave as one message for each bookie", async () => {
  const fixture = await BookKeeperFixture.start();
  const writer = await fixture.node().bookkeeper.createLedger(QUORUM);
  const sizes: number[] = [];
  fixture.messenger.rule = (_from, _to, message) => {
    if (isAdd(message)) sizes.push(message.entries.length);
    return "pass";
  };
  appendMany(writer, 50, new Recorder());
  await fixture.clock.settle();
  expect(sizes).toEqual([50, 50, 50]);
});

test("a bookie that does not answer is replaced; the new fragment starts at the first unacknowledged entry", async () => {
  const fixture = await BookKeeperFixture.start(4);
  const { bookkeeper } = fixture.node();
  const writer = await bookkeeper.createLedger({ ensembleSize: 3, writeQuorum: 3, ackQuorum: 3 });
  const recorder = new Recorder();
  appendMany(writer, 5, recorder);
  await fixture.clock.settle();
  const [dead] = writer.metadata.fragments[0]?.bookies ?? [];
  fixture.bookies.find((b) => b.id === dead)?.kill();
  appendMany(writer, 5, recorder);
  await fixture.clock.settle();
  expect(recorder.added).toEqual(upTo(5));
  await fixture.clock.advance(5_000);
  expect(recorder.added).toEqual(upTo(10));
  const { fragments } = (await bookkeeper.readMetadata(writer.ledgerId)).metadata;
  expect(fragments.map((f) => f.firstEntryId)).toEqual([0, 5]);
  expect(fragments[1]?.bookies).not.toContain(dead);
  const spare = fixture.bookies.find((b) => b.id === fragments[1]?.bookies[0]);
  for (let entryId = 5; entryId < 10; entryId++) {
    expect(spare?.storage.read(writer.ledgerId, entryId)).toMatchObject({ entryId });
  }
});

test("appends taken while a bookie is being replaced are acknowledged in order after it", async () => {
  const fixture = await BookKeeperFixture.start(4);
  const writer = await fixture.node().bookkeeper.createLedger({ ensembleSize: 3, writeQuorum: 3, ackQuorum: 3 });
  const recorder = new Recorder();
  const [dead] = writer.metadata.fragments[0]?.bookies ?? [];
  fixture.messenger.rule = (_from, to) => (to === dead ? "lose" : "pass");
  appendMany(writer, 10, recorder);
  await fixture.clock.advance(4_999);
  const rest = fixture.clock.advance(1);
  for (let i = 0; i < 10; i++) writer.append(bytesOf("late"), recorder);
  await rest;
  await fixture.clock.settle();
  expect(recorder.added).toEqual(upTo(20));
});

test("nothing is acknowledged while the ensemble changes: the new fragment must not start before the LAC", async () => {
  const fixture = await BookKeeperFixture.start(4);
  const node = fixture.node();
  const writer = await node.bookkeeper.createLedger(QUORUM);
  const [first, ...others] = writer.metadata.fragments[0]?.bookies ?? [];
  await fixture.bookies.find((b) => b.id === first)?.setReadOnly(true);
  const gate = deferred<void>();
  const put = node.metadata.put.bind(node.metadata);
  node.metadata.put = async (...args) => {
    await gate.promise;
    return put(...args);
  };
  fixture.messenger.rule = (from) => (others.includes(from) ? "hold" : "pass");
  const recorder = new Recorder();
  appendMany(writer, 3, recorder);
  await fixture.clock.settle();
  fixture.messenger.release();
  await fixture.clock.settle();
  expect(recorder.added).toEqual([]);
  gate.resolve();
  await fixture.clock.settle();
  expect(recorder.added).toEqual([0, 1, 2]);
  for (const id of writer.metadata.fragments[0]?.bookies ?? []) {
    const bookie = fixture.bookies.find((b) => b.id === id);
    for (let entryId = 0; entryId < 3; entryId++) {
      expect(bookie?.storage.read(writer.ledgerId, entryId)).toMatchObject({ entryId });
    }
  }
});

test("what a bookie confirmed before it was replaced counts no more", async () => {
  const fixture = await BookKeeperFixture.start(4);
  const writer = await fixture.node().bookkeeper.createLedger(QUORUM);
  const [a, b] = writer.metadata.fragments[0]?.bookies ?? [];
  const speaking = new Set([a]);
  fixture.messenger.rule = (from) => (from.startsWith("bookie") && !speaking.has(from) ? "lose" : "pass");
  const recorder = new Recorder();
  writer.append(bytesOf("x"), recorder);
  await fixture.clock.settle();
  await fixture.bookies.find((bookie) => bookie.id === a)?.setReadOnly(true);
  speaking.add(b as string);
  writer.append(bytesOf("y"), recorder);
  await fixture.clock.settle();
  expect(writer.metadata.fragments[0]?.bookies).not.toContain(a);
  // b's answer about x was lost; about y it came: one member of the ensemble as it is now
  fixture.messenger.send(b as string, "broker-0", { type: "added", requestId: 1, codes: "Ok" });
  await fixture.clock.settle();
  expect(recorder.added).toEqual([]);
});

test("a bookie that goes read-only is replaced at once", async () => {
  const fixture = await BookKeeperFixture.start(4);
  const writer = await fixture.node().bookkeeper.createLedger({ ensembleSize: 3, writeQuorum: 3, ackQuorum: 3 });
  const [first] = writer.metadata.fragments[0]?.bookies ?? [];
  await fixture.bookies.find((b) => b.id === first)?.setReadOnly(true);
  const recorder = new Recorder();
  appendMany(writer, 5, recorder);
  await fixture.clock.settle();
  expect(recorder.added).toEqual(upTo(5));
  expect(writer.metadata.fragments).toHaveLength(1);
  expect(writer.metadata.fragments[0]?.bookies).not.toContain(first);
});

test("without a replacement the writer fails with NotEnoughBookies and can be closed at its LAC", async () => {
  const fixture = await BookKeeperFixture.start(3);
  const { bookkeeper } = fixture.node();
  const writer = await bookkeeper.createLedger({ ensembleSize: 3, writeQuorum: 3, ackQuorum: 3 });
  const recorder = new Recorder();
  appendMany(writer, 2, recorder);
  await fixture.clock.settle();
  let failure: string | undefined;
  writer.onFailed((error) => {
    failure = error.code;
  });
  await fixture.bookies[0]?.stop();
  appendMany(writer, 2, recorder);
  await fixture.clock.advance(5_000);
  expect(failure).toBe("NotEnoughBookies");
  expect(recorder).toMatchObject({ added: [0, 1], errors: ["NotEnoughBookies", "NotEnoughBookies"] });
  await writer.close();
  expect((await bookkeeper.readMetadata(writer.ledgerId)).metadata).toMatchObject({ state: "CLOSED", lastEntryId: 1 });
});

test("closing fails what is pending, ends at the LAC, and lets nothing in afterwards", async () => {
  const fixture = await BookKeeperFixture.start();
  const { bookkeeper } = fixture.node();
  const writer = await bookkeeper.createLedger(QUORUM);
  const recorder = new Recorder();
  appendMany(writer, 3, recorder);
  await fixture.clock.settle();
  fixture.messenger.rule = () => "hold";
  appendMany(writer, 2, recorder);
  await writer.close();
  writer.append(bytesOf("late"), recorder);
  fixture.messenger.release();
  await fixture.clock.settle();
  expect(recorder).toMatchObject({ added: [0, 1, 2], errors: ["LedgerClosed", "LedgerClosed", "LedgerClosed"] });
  const reader = await bookkeeper.openLedger(writer.ledgerId);
  expect(reader.lastConfirmed).toBe(2);
  await expect(reader.read(0, 3)).rejects.toMatchObject({ code: "NoSuchEntry" });
});

test("a writer that was given up fails what is pending, and says nothing of its ledger any more", async () => {
  const fixture = await BookKeeperFixture.start();
  const { bookkeeper } = fixture.node();
  const writer = await bookkeeper.createLedger(QUORUM);
  const recorder = new Recorder();
  fixture.messenger.rule = () => "hold";
  appendMany(writer, 1, recorder);
  writer.abandon();
  appendMany(writer, 1, recorder);
  fixture.messenger.release();
  await fixture.clock.settle();
  expect(recorder).toMatchObject({ added: [], errors: ["LedgerClosed", "LedgerClosed"] });
  await expect(writer.close()).rejects.toMatchObject({ code: "LedgerClosed" });
  expect((await bookkeeper.readMetadata(writer.ledgerId)).metadata.state).toBe("OPEN");
});

test("a ledger that could not be closed goes on when metadata says that it is open", async () => {
  const fixture = await BookKeeperFixture.start();
  const { bookkeeper, metadata } = fixture.unreliableNode();
  const writer = await bookkeeper.createLedger(QUORUM);
  const recorder = new Recorder();
  appendMany(writer, 2, recorder);
  await fixture.clock.settle();
  metadata.changes = "lost";
  await expect(writer.close()).rejects.toMatchObject({ code: "MetadataUnavailable" });
  metadata.changes = "answered";
  appendMany(writer, 1, recorder);
  await fixture.clock.settle();
  await writer.close();
  expect(recorder).toMatchObject({ added: [0, 1, 2], errors: [] });
  expect((await bookkeeper.readMetadata(writer.ledgerId)).metadata).toMatchObject({ state: "CLOSED", lastEntryId: 2 });
});

test("a ledger that was closed by a call without an answer takes no entry that would lie behind its end", async () => {
  for (const reads of ["answered", "lost"] as const) {
    const fixture = await BookKeeperFixture.start();
    const { bookkeeper, metadata } = fixture.unreliableNode();
    const writer = await bookkeeper.createLedger(QUORUM);
    const recorder = new Recorder();
    appendMany(writer, 2, recorder);
    await fixture.clock.settle();
    metadata.changes = "answer lost";
    metadata.reads = reads;
    const closing = writer.close();
    if (reads === "answered") await closing;
    else await expect(closing).rejects.toMatchObject({ code: "MetadataUnavailable" });
    appendMany(writer, 1, recorder);
    await fixture.clock.settle();
    expect(recorder.added).toEqual([0, 1]);
    expect(recorder.errors).toEqual([reads === "answered" ? "LedgerClosed" : "MetadataUnavailable"]);
    metadata.changes = "answered";
    metadata.reads = "answered";
    await writer.close();
    const found = await fixture.node().bookkeeper.openLedger(writer.ledgerId);
    expect(found.lastConfirmed).toBe(1);
  }
});

test("a ledger closed by its own listener ends at the entry that was told last", async () => {
  const fixture = await BookKeeperFixture.start();
  const { bookkeeper } = fixture.node();
  const writer = await bookkeeper.createLedger(QUORUM);
  const added: number[] = [];
  const closed: Promise<void>[] = [];
  const listener: LedgerAppendListener = {
    onAdded: (entryId) => {
      added.push(entryId);
      if (entryId === 2) closed.push(writer.close());
    },
    onAddFailed: () => undefined,
  };
  appendMany(writer, 10, listener);
  await fixture.clock.settle();
  await Promise.all(closed);
  expect(added).toEqual([0, 1, 2]);
  expect((await bookkeeper.readMetadata(writer.ledgerId)).metadata.lastEntryId).toBe(2);
});

test("messages that come twice, late or from a stranger change nothing", async () => {
  const fixture = await BookKeeperFixture.start();
  const writer = await fixture.node().bookkeeper.createLedger(QUORUM);
  const recorder = new Recorder();
  let again = true;
  fixture.messenger.rule = (from, to, message) => {
    if (again) {
      again = false;
      for (let i = 0; i < 3; i++) fixture.messenger.send(from, to, message);
      again = true;
    }
    return "pass";
  };
  fixture.messenger.send("nobody", "broker-0", { type: "added", requestId: 1, codes: "LedgerFenced" });
  appendMany(writer, 5, recorder);
  await fixture.clock.settle();
  expect(recorder).toMatchObject({ added: upTo(5), errors: [] });
});

test("reads never pass the LAC, check the digest, and take another copy when one is broken", async () => {
  const fixture = await BookKeeperFixture.start();
  const { bookkeeper } = fixture.node();
  const writer = await bookkeeper.createLedger(QUORUM);
  const recorder = new Recorder();
  appendMany(writer, 6, recorder);
  await fixture.clock.settle();
  const reader = bookkeeper.readerOf(writer);
  await expect(reader.read(0, 6)).rejects.toMatchObject({ code: "NoSuchEntry" });
  const broken = (entryId: number, bookies: number[]): void => {
    for (const b of bookies) {
      const storage = fixture.bookies[b]?.storage;
      const entry = storage?.read(writer.ledgerId, entryId);
      if (typeof entry !== "object" || entry instanceof Promise) throw new Error("no entry");
      storage?.add([{ ...entry, payload: bytesOf("broken") }], false, { onStored: () => undefined });
    }
  };
  broken(3, [0, 1]);
  expect((await reader.read(0, 5)).map((e) => e.entryId)).toEqual(upTo(6));
  expect(new TextDecoder().decode((await reader.read(3, 3))[0]?.payload)).toBe("e3");
  broken(3, [2]);
  await expect(reader.read(3, 3)).rejects.toMatchObject({ code: "DigestMismatch" });
});

test("bookies count what they hold, and give it back when a ledger is deleted", async () => {
  const fixture = await BookKeeperFixture.start();
  const { bookkeeper } = fixture.node();
  const writer = await bookkeeper.createLedger(QUORUM);
  for (let i = 0; i < 10; i++) writer.append(new Uint8Array(100), new Recorder());
  await fixture.clock.settle();
  expect(fixture.bookies.map((b) => b.storage.heldBytes)).toEqual([1000, 1000, 1000]);
  await bookkeeper.deleteLedger(writer.ledgerId);
  await fixture.clock.settle();
  expect(fixture.bookies.map((b) => b.storage.heldBytes)).toEqual([0, 0, 0]);
  expect(fixture.bookies.map((b) => b.storage.ledgerCount)).toEqual([0, 0, 0]);
  await expect(bookkeeper.openLedger(writer.ledgerId)).rejects.toMatchObject({ code: "NoSuchLedger" });
});

test("a ledger that somebody else deleted is another's, whether it is to be closed or a bookie to be replaced", async () => {
  const fixture = await BookKeeperFixture.start(4);
  const [owner, other] = [fixture.node().bookkeeper, fixture.node().bookkeeper];
  const [closing, changing] = [await owner.createLedger(QUORUM), await owner.createLedger(QUORUM)];
  // its bookies do not hear of it
  fixture.messenger.rule = (_from, _to, message) =>
    (message as BookieRequest).type === "delete-ledger" ? "lose" : "pass";
  for (const { ledgerId } of [closing, changing]) await other.deleteLedger(ledgerId);
  await expect(closing.close()).rejects.toMatchObject({ code: "LedgerFenced" });
  const failed = deferred<BookKeeperError>();
  changing.onFailed((error) => failed.resolve(error));
  changing.suspect(changing.metadata.fragments[0]?.bookies[0] as string);
  expect(await failed.promise).toMatchObject({ code: "LedgerFenced" });
  await expect(changing.close()).rejects.toMatchObject({ code: "LedgerFenced" });
});
