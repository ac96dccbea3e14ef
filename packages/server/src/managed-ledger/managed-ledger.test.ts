import { expect, test } from "vitest";
import { comparePositions, formatPosition, type Position } from "./position.ts";
import { append, appendMany, bytesOf, RecordingListener, StorageFixture, textOf } from "./storage-fixture.ts";

const NO_MIN = { minRolloverMs: 0 };

test("an empty managed ledger stands at entry -1 of its first ledger", async () => {
  const ledger = await (await StorageFixture.start()).open();
  const [first] = ledger.ledgers;
  expect(ledger.lastConfirmed).toEqual({ ledgerId: first?.ledgerId, entryId: -1 });
  expect(ledger.firstPosition).toEqual({ ledgerId: first?.ledgerId, entryId: 0 });
  const cursor = await ledger.openCursor("sub");
  expect(cursor.markDeleted).toEqual(ledger.lastConfirmed);
  expect(cursor.readPosition).toEqual(ledger.firstPosition);
  expect(cursor.hasMoreEntries()).toBe(false);
});

test("appends are acknowledged in order and read back at the tail at once", async () => {
  const ledger = await (await StorageFixture.start()).open();
  const cursor = await ledger.openCursor("sub");
  const positions = await appendMany(ledger, 100);
  expect(positions.map((p) => p.entryId)).toEqual(Array.from({ length: 100 }, (_, i) => i));
  const entries = cursor.read(1000, 1e9);
  expect(Array.isArray(entries)).toBe(true);
  expect((await entries).map((e) => textOf(e.data))).toEqual(Array.from({ length: 100 }, (_, i) => `m${i}`));
  expect(cursor.hasMoreEntries()).toBe(false);
  expect(cursor.read(10, 1e9)).toEqual([]);
});

test("a ledger is replaced at its number of entries, and no append in the middle is lost or reordered", async () => {
  const ledger = await (await StorageFixture.start()).open({ ...NO_MIN, maxEntriesPerLedger: 10 });
  await ledger.openCursor("pin");
  const positions = await appendMany(ledger, 35);
  expect(ledger.ledgers.map((l) => l.entries)).toEqual([10, 10, 10, 5]);
  expect([...positions].sort(comparePositions)).toEqual(positions);
  expect(new Set(positions.map(formatPosition)).size).toBe(35);
  const cursor = ledger.newNonDurableCursor("reader", { ledgerId: -1, entryId: -1 });
  expect((await cursor.read(100, 1e9)).map((e) => textOf(e.data))).toEqual(
    Array.from({ length: 35 }, (_, i) => `m${i}`),
  );
});

test("a ledger that is full stays until the least rollover time has passed", async () => {
  const fixture = await StorageFixture.start();
  const ledger = await fixture.open({ maxEntriesPerLedger: 5, minRolloverMs: 600_000 });
  await ledger.openCursor("pin");
  await appendMany(ledger, 8);
  expect(ledger.ledgers.map((l) => l.entries)).toEqual([8]);
  await fixture.clock.advance(600_000);
  await append(ledger, "x");
  await append(ledger, "y");
  expect(ledger.ledgers.map((l) => l.entries)).toEqual([9, 1]);
});

test("a ledger is replaced at its age, unless it is empty", async () => {
  const fixture = await StorageFixture.start();
  const ledger = await fixture.open({ maxRolloverMs: 1_000 });
  await ledger.openCursor("pin");
  await fixture.clock.advance(5_000);
  expect(ledger.ledgers).toHaveLength(1);
  await append(ledger, "a");
  await fixture.clock.advance(1_000);
  expect(ledger.ledgers.map((l) => l.entries)).toEqual([1, 0]);
  expect(ledger.lastConfirmed.entryId).toBe(0);
});

test("a new owner finds every acknowledged entry, and the old one can append no more", async () => {
  const fixture = await StorageFixture.start();
  const old = await fixture.open();
  await appendMany(old, 20);
  const owner = await fixture.open();
  const zombie = new RecordingListener();
  old.append(bytesOf("late"), zombie);
  await fixture.clock.settle();
  expect(zombie.positions).toEqual([]);
  expect(zombie.errors.map((e) => e.code)).toEqual(["Fenced"]);
  expect(owner.entryCount).toBe(20);
  expect(owner.lastConfirmed.entryId).toBe(19);
  const next = await append(owner, "new");
  expect(comparePositions(next, owner.ledgers[0] as never)).toBeGreaterThan(0);
  const reader = owner.newNonDurableCursor("r", { ledgerId: -1, entryId: -1 });
  const texts = (await reader.read(100, 1e9)).map((e) => textOf(e.data));
  expect(texts).toEqual(Array.from({ length: 20 }, (_, i) => `m${i}`));
  expect((await reader.read(100, 1e9)).map((e) => textOf(e.data))).toEqual(["new"]);
});

test("of two owners that appended in turn, only one can go on", async () => {
  const fixture = await StorageFixture.start();
  const [a, b] = [await fixture.open({ ...NO_MIN, maxEntriesPerLedger: 3 }), await fixture.open(NO_MIN)];
  const [forA, forB] = [new RecordingListener(), new RecordingListener()];
  for (let i = 0; i < 10; i++) {
    a.append(bytesOf(`a${i}`), forA);
    b.append(bytesOf(`b${i}`), forB);
    await fixture.clock.settle();
  }
  expect(forA.positions).toEqual([]);
  expect(forA.errors).toHaveLength(10);
  expect(forB.positions).toHaveLength(10);
  expect(b.entryCount).toBe(10);
});

test("an old owner that is replacing its ledger during the takeover is fenced by the list", async () => {
  const fixture = await StorageFixture.start();
  const old = await fixture.open();
  await old.openCursor("pin");
  await append(old, "a");
  const rolling = old.rollover().then(
    () => "done",
    (error: { code: string }) => error.code,
  );
  const owner = await fixture.open();
  await rolling;
  const zombie = new RecordingListener();
  old.append(bytesOf("z"), zombie);
  await fixture.clock.settle();
  expect(zombie.positions).toEqual([]);
  expect(zombie.errors[0]?.code).toBe("Fenced");
  expect(owner.entryCount).toBe(1);
});

test("an idle old owner learns of the takeover when it replaces its ledger, and leaves no ledger behind", async () => {
  const fixture = await StorageFixture.start();
  const old = await fixture.open();
  await old.openCursor("pin");
  await append(old, "a");
  const owner = await fixture.open();
  await expect(old.rollover()).rejects.toMatchObject({ code: "Fenced" });
  await expect(append(old, "b")).rejects.toMatchObject({ code: "Fenced" });
  await fixture.clock.settle();
  expect(await fixture.node().bookkeeper.listLedgers()).toEqual(owner.ledgers.map((l) => l.ledgerId));
  await append(owner, "c");
});

test("when bookies are too few appends fail with a clear error, and go on once there are enough", async () => {
  const fixture = await StorageFixture.start();
  const ledger = await fixture.open();
  await append(ledger, "a");
  await fixture.bookies[0]?.stop();
  const listener = new RecordingListener();
  ledger.append(bytesOf("b"), listener);
  ledger.append(bytesOf("c"), listener);
  await fixture.clock.advance(5_000);
  // two of three confirmed them; then the third's place cannot be filled, nor a new ledger be made
  expect(listener.positions.map((p) => p.entryId)).toEqual([1, 2]);
  ledger.append(bytesOf("d"), listener);
  await fixture.clock.settle();
  expect(listener.errors.map((e) => e.code)).toEqual(["NotEnoughBookies"]);
  expect(listener.errors[0]?.message.match(/NotEnoughBookies/g)).toHaveLength(1);
  await fixture.addBookie();
  await fixture.clock.advance(10_000);
  await append(ledger, "e");
  expect(ledger.entryCount).toBe(4);
  expect(ledger.ledgers).toHaveLength(1 + 1);
});

test("entries that a failing ledger did not confirm are written to the next, once and in order", async () => {
  const fixture = await StorageFixture.start();
  const ledger = await fixture.open();
  await ledger.openCursor("pin");
  await append(ledger, "a");
  const listener = new RecordingListener();
  fixture.messenger.rule = (_from, to) => (to === "bookie-0" || to === "bookie-1" ? "lose" : "pass");
  for (const text of ["b", "c", "d"]) ledger.append(bytesOf(text), listener);
  await fixture.clock.advance(4_999);
  fixture.messenger.rule = () => "pass";
  ledger.append(bytesOf("e"), listener);
  await fixture.clock.advance(1);
  await fixture.clock.settle();
  expect(listener.errors).toEqual([]);
  expect(listener.positions).toHaveLength(4);
  const reader = ledger.newNonDurableCursor("r", { ledgerId: -1, entryId: -1 });
  expect((await reader.read(100, 1e9)).map((e) => textOf(e.data))).toEqual(["a", "b", "c", "d", "e"]);
});

test("without metadata a full ledger goes on, and is replaced once metadata is back", async () => {
  const fixture = await StorageFixture.start();
  const ledger = await fixture.open({ ...NO_MIN, maxEntriesPerLedger: 3 });
  await ledger.openCursor("pin");
  fixture.metadata.available = false;
  await appendMany(ledger, 10);
  expect(ledger.ledgers.map((l) => l.entries)).toEqual([10]);
  await expect(ledger.rollover()).rejects.toMatchObject({ code: "MetadataUnavailable" });
  fixture.metadata.available = true;
  await fixture.clock.advance(10_000);
  await append(ledger, "x");
  await append(ledger, "y");
  expect(ledger.ledgers.map((l) => l.entries)).toEqual([11, 1]);
});

test("a terminated ledger takes no more, also under the next owner", async () => {
  const fixture = await StorageFixture.start();
  const ledger = await fixture.open();
  const pending = appendMany(ledger, 5);
  const end = await ledger.terminate();
  expect(end).toEqual((await pending).at(-1));
  await expect(append(ledger, "x")).rejects.toMatchObject({ code: "Terminated" });
  expect(await ledger.terminate()).toEqual(end);
  await ledger.close();
  const next = await fixture.open();
  expect(next.terminatedAt).toEqual(end);
  expect(next.lastConfirmed).toEqual(end);
  await expect(append(next, "x")).rejects.toMatchObject({ code: "Terminated" });
});

test("one unacknowledged entry keeps its ledger and all behind it", async () => {
  const fixture = await StorageFixture.start();
  const ledger = await fixture.open({ ...NO_MIN, maxEntriesPerLedger: 2 });
  const cursor = await ledger.openCursor("sub");
  const positions = await appendMany(ledger, 7);
  for (const [i, position] of positions.entries()) if (i !== 2) cursor.acknowledge(position);
  await fixture.clock.settle();
  expect(ledger.ledgers.map((l) => l.entries)).toEqual([2, 2, 1]);
  expect(cursor.backlogEntries).toBe(1);
  cursor.acknowledge(positions[2] as never);
  await fixture.clock.settle();
  expect(ledger.ledgers.map((l) => l.entries)).toEqual([1]);
  expect(cursor.markDeleted).toEqual(positions[6]);
});

test("retention keeps acknowledged ledgers for its time, or up to its size, whichever is less", async () => {
  const fixture = await StorageFixture.start();
  const options = { ...NO_MIN, maxEntriesPerLedger: 2, retentionMs: 1_000, retentionBytes: -1 };
  const ledger = await fixture.open(options);
  const cursor = await ledger.openCursor("sub");
  await appendMany(ledger, 8);
  cursor.clearBacklog();
  await fixture.clock.settle();
  expect(ledger.ledgers.map((l) => l.entries)).toEqual([2, 2, 2, 2, 0].slice(0, ledger.ledgers.length));
  ledger.configure({ retentionBytes: 9 });
  await ledger.trim();
  expect(ledger.entryCount).toBe(6);
  await fixture.clock.advance(1_000);
  await ledger.trim();
  expect(ledger.entryCount).toBe(0);
  expect(cursor.markDeleted).toEqual({ ledgerId: ledger.ledgers[0]?.ledgerId, entryId: -1 });
});

test("cursors that are not durable pin nothing and go on at the first entry left", async () => {
  const fixture = await StorageFixture.start();
  const ledger = await fixture.open({ ...NO_MIN, maxEntriesPerLedger: 2 });
  const reader = ledger.newNonDurableCursor("reader", ledger.lastConfirmed);
  await appendMany(ledger, 5);
  await ledger.trim();
  expect(ledger.entryCount).toBe(1);
  expect((await reader.read(10, 1e9)).map((e) => textOf(e.data))).toEqual(["m4"]);
});

test("truncating moves every cursor to the end and deletes what is closed", async () => {
  const fixture = await StorageFixture.start();
  const ledger = await fixture.open({ ...NO_MIN, maxEntriesPerLedger: 2, retentionMs: -1, retentionBytes: -1 });
  const cursor = await ledger.openCursor("sub");
  await appendMany(ledger, 5);
  await ledger.truncate();
  expect(cursor.backlogEntries).toBe(0);
  expect(ledger.ledgers).toHaveLength(1);
});

test("positions are counted over ledger boundaries", async () => {
  const fixture = await StorageFixture.start();
  const ledger = await fixture.open({ ...NO_MIN, maxEntriesPerLedger: 3 });
  await ledger.openCursor("pin");
  const at = await appendMany(ledger, 8);
  const start = ledger.previousPosition(at[0] as never);
  expect(start.entryId).toBe(-1);
  for (let i = 0; i < 8; i++) {
    expect(ledger.countEntries(start, at[i] as never)).toBe(i + 1);
    expect(ledger.positionAfter(start, i + 1)).toEqual(at[i]);
    if (i > 0) expect(ledger.previousPosition(at[i] as never)).toEqual(at[i - 1]);
    if (i > 0) expect(ledger.nextPosition(at[i - 1] as never)).toEqual(at[i]);
  }
  expect(ledger.positionAfter(start, 100)).toEqual(at[7]);
  expect(ledger.countEntries(at[5] as never, at[2] as never)).toBe(0);
});

test("the newest entry that matches is found without reading them all", async () => {
  const fixture = await StorageFixture.start();
  const ledger = await fixture.open({ ...NO_MIN, maxEntriesPerLedger: 7 });
  await ledger.openCursor("pin");
  const at = await appendMany(ledger, 50);
  for (const wanted of [0, 6, 7, 30, 49]) {
    let asked = 0;
    const found = await ledger.findNewestMatching((entry) => {
      asked++;
      return Number(textOf(entry.data).slice(1)) <= wanted;
    });
    expect(found).toEqual(at[wanted]);
    expect(asked).toBeLessThan(8);
  }
  expect(await ledger.findNewestMatching(() => false)).toBeUndefined();
});

test("what fell out of the cache is read from the bookies, from any copy", async () => {
  const fixture = await StorageFixture.start();
  const ledger = await fixture.node(100).factory.open("public/default/persistent/t");
  const cursor = await ledger.openCursor("sub");
  await appendMany(ledger, 200);
  fixture.bookies[1]?.kill();
  const texts: string[] = [];
  while (cursor.hasMoreEntries()) {
    const read = cursor.read(30, 1e9);
    await fixture.clock.advance(10_000);
    for (const entry of await read) texts.push(textOf(entry.data));
  }
  expect(texts).toEqual(Array.from({ length: 200 }, (_, i) => `m${i}`));
});

test("advances are told at most once a turn", async () => {
  const ledger = await (await StorageFixture.start()).open();
  let told = 0;
  const watch = ledger.onAdvance(() => told++);
  await appendMany(ledger, 50);
  await undefined;
  expect(told).toBe(1);
  watch[Symbol.dispose]();
  await append(ledger, "x");
  await undefined;
  expect(told).toBe(1);
});

test("deleting leaves nothing behind in metadata or on bookies", async () => {
  const fixture = await StorageFixture.start();
  const node = fixture.node();
  const name = "public/default/persistent/gone";
  const ledger = await node.factory.open(name, { ...NO_MIN, maxEntriesPerLedger: 3 });
  const cursor = await ledger.openCursor("sub/with:odd name");
  const at = await appendMany(ledger, 10);
  cursor.acknowledge(at[1] as never);
  await cursor.flush();
  expect(await node.bookkeeper.listLedgers()).toHaveLength(5);
  await ledger.delete();
  await fixture.clock.settle();
  expect(await node.factory.exists(name)).toBe(false);
  expect(await node.bookkeeper.listLedgers()).toEqual([]);
  expect(fixture.bookies.map((b) => b.storage.heldBytes)).toEqual([0, 0, 0]);
});

test("a closed managed ledger can be deleted by name", async () => {
  const fixture = await StorageFixture.start();
  const node = fixture.node();
  const name = "public/default/persistent/t";
  const ledger = await node.factory.open(name);
  await ledger.openCursor("sub");
  await append(ledger, "x");
  await ledger.close();
  await expect(append(ledger, "y")).rejects.toMatchObject({ code: "Closed" });
  await node.factory.delete(name);
  expect(await node.factory.exists(name)).toBe(false);
  expect(await node.bookkeeper.listLedgers()).toEqual([]);
});

test("an append under way when another owner is noticed by the list fails with it, whatever bookies answer later", async () => {
  const fixture = await StorageFixture.start();
  const old = await fixture.open();
  await old.openCursor("pin");
  await append(old, "a");
  await old.rollover();
  await append(old, "b");
  fixture.messenger.rule = (_from, to, message) =>
    to === "broker-0" && (message as { type: string }).type === "added" ? "hold" : "pass";
  const owner = await fixture.open();
  const zombie = new RecordingListener();
  old.append(bytesOf("z"), zombie);
  await old.truncate();
  fixture.messenger.release();
  await fixture.clock.settle();
  expect(zombie.positions).toEqual([]);
  expect(zombie.errors.map(({ code }) => code)).toEqual(["Fenced"]);
  expect(owner.entryCount).toBe(2);
});

test("one entry that is not acknowledged pins its ledger and all after it, and the bytes say so", async () => {
  const fixture = await StorageFixture.start();
  const ledger = await fixture.open({ maxEntriesPerLedger: 10, minRolloverMs: 0 });
  const cursor = await ledger.openCursor("slow", { initialPosition: "earliest" });
  const fast = await ledger.openCursor("fast", { initialPosition: "earliest" });
  const at: Position[] = [];
  for (let i = 0; i < 35; i++) at.push(await append(ledger, "0123456789"));
  await fixture.clock.settle();
  expect(ledger.backlogBytes).toBe(350);
  fast.clearBacklog();
  for (const [i, position] of at.entries()) if (i !== 12) cursor.acknowledge(position);
  await ledger.trim();
  expect(ledger.sizeBytes).toBe(250);
  expect(ledger.backlogBytes).toBe(250);
  cursor.acknowledge(at[12] as Position);
  await ledger.trim();
  expect(ledger.backlogBytes).toBe(0);
  expect(ledger.ledgers.length).toBe(1);
});

test("retention counts from the moment it is set, also where it was set while the ledger was open", async () => {
  const fixture = await StorageFixture.start();
  const ledger = await fixture.open({ retentionMs: 60_000, retentionBytes: -1 });
  await append(ledger, "a");
  await ledger.rollover();
  await ledger.trim();
  expect(ledger.entryCount).toBe(1);
  await fixture.clock.advance(59_000);
  await ledger.trim();
  expect(ledger.entryCount).toBe(1);
  ledger.configure({ retentionMs: 0, retentionBytes: 0 });
  await ledger.trim();
  expect(ledger.entryCount).toBe(0);
});
