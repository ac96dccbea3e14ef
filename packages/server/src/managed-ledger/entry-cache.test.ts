import { expect, test } from "vitest";
import type { ManagedLedger } from "./managed-ledger.ts";
import { append, StorageFixture } from "./storage-fixture.ts";

const TEXT = "x".repeat(100);

async function fill(ledger: ManagedLedger, entries: number): Promise<void> {
  for (let i = 0; i < entries; i++) await append(ledger, TEXT);
}

test("what every active cursor has read goes before what one has still to read, however old that is", async () => {
  const fixture = await StorageFixture.start();
  const { factory } = fixture.node(64_000);
  const [slow, fast] = await Promise.all([factory.open("a/slow"), factory.open("a/fast")]);
  const slowReader = await slow.openCursor("sub", { initialPosition: "earliest" });
  const fastReader = await fast.openCursor("sub", { initialPosition: "earliest" });
  await fill(slow, 200);
  // it has begun to read, and stands still
  await slowReader.read(10, 1e9);
  for (let i = 0; i < 20; i++) {
    await fill(fast, 100);
    await fastReader.read(100, 1e9);
  }
  expect(factory.cache.stats.misses).toBe(0);
  const before = factory.cache.stats.hits;
  expect(await slowReader.read(190, 1e9)).toHaveLength(190);
  expect(factory.cache.stats.misses).toBe(0);
  expect(factory.cache.stats.hits - before).toBeGreaterThanOrEqual(190);
  expect(factory.cache.usedBytes).toBeLessThanOrEqual(64_000);
});

test("where everybody has something left to read the oldest goes, and reads of it are counted apart", async () => {
  const fixture = await StorageFixture.start();
  const { factory } = fixture.node(20_000);
  const ledger = await factory.open("a/t");
  const reader = await ledger.openCursor("sub", { initialPosition: "earliest" });
  await reader.read(1, 1e9);
  await fill(ledger, 600);
  expect(factory.cache.usedBytes).toBeLessThanOrEqual(20_000);
  let read = 0;
  while (reader.hasMoreEntries()) read += (await reader.read(100, 1e9)).length;
  expect(read).toBe(600);
  expect(factory.cache.stats.misses).toBeGreaterThan(300);
  expect(factory.cache.stats.hits).toBeGreaterThan(0);
  expect(factory.cache.stats.evictedBytes).toBeGreaterThan(30_000);
});

test("without memory everything is read from bookies", async () => {
  const fixture = await StorageFixture.start();
  const { factory } = fixture.node(0);
  const ledger = await factory.open("a/t");
  const reader = await ledger.openCursor("sub", { initialPosition: "earliest" });
  await fill(ledger, 5);
  expect(await reader.read(10, 1e9)).toHaveLength(5);
  expect(factory.cache.stats).toMatchObject({ hits: 0, misses: 5 });
});
