import { ManualClock } from "@pulsewire/runtime";
import { MemoryLevel } from "memory-level";
import { expect, test } from "vitest";
import { openDiskMetadata } from "./disk-metadata-store.ts";
import type { MetadataLevel } from "./metadata-change-log.ts";
import type { MetadataEvent } from "./metadata-store.ts";

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

async function newLevel(): Promise<MemoryLevel<string, Uint8Array>> {
  const level = new MemoryLevel<string, Uint8Array>({ valueEncoding: "view", storeEncoding: "view" });
  await level.open();
  return level;
}

/** What is left of a level after `kill -9`. */
async function copyOf(level: MetadataLevel): Promise<MetadataLevel> {
  const copy = await newLevel();
  for await (const [key, value] of level.iterator()) await copy.put(key, value);
  return copy;
}

async function open(level: MetadataLevel) {
  const clock = new ManualClock();
  const metadata = await openDiskMetadata({ clock, level });
  return { clock, metadata, session: metadata.session() };
}

test("values, versions and times outlive the process; ephemeral keys do not", async () => {
  const level = await newLevel();
  const { session } = await open(level);
  await session.put("/a/b", bytes("1"));
  await session.put("/a/b", bytes("2"));
  await session.put("/a/gone", bytes("x"));
  await session.delete("/a/gone");
  await session.put("/a/mine", bytes("x"), { ephemeral: true });
  const before = await session.get("/a/b");
  const again = await open(await copyOf(level));
  expect(await again.session.get("/a/b")).toEqual(before);
  expect(new TextDecoder().decode(before?.value)).toBe("2");
  expect(await again.session.children("/a")).toEqual(["b"]);
  await expect(again.session.put("/a/b", bytes("3"), { expectedVersion: 0 })).rejects.toMatchObject({
    code: "BadVersion",
  });
  expect((await again.session.put("/a/b", bytes("3"), { expectedVersion: 1 })).stat.version).toBe(2);
});

test("a key that became ephemeral is gone with the process, one that was put again is not", async () => {
  const level = await newLevel();
  const { session } = await open(level);
  await session.put("/a", bytes("1"));
  await session.put("/a", bytes("2"), { ephemeral: true });
  await session.put("/b", bytes("1"), { ephemeral: true });
  await session.delete("/b");
  await session.put("/b", bytes("2"));
  const again = await open(await copyOf(level));
  expect(await again.session.exists("/a")).toBe(false);
  expect(await again.session.exists("/b")).toBe(true);
});

test("no number of a sequence comes twice, whenever the process ends", async () => {
  let level: MetadataLevel = await newLevel();
  const given = new Set<number>();
  const keys = new Set<string>();
  for (let round = 0; round < 4; round++) {
    const { session } = await open(level);
    for (let i = 0; i < 70; i++) {
      given.add(await session.nextSequence("/ids"));
      keys.add((await session.put("/q/n-", bytes(""), { sequential: true, ephemeral: true })).key);
    }
    level = await copyOf(level);
  }
  expect(given.size).toBe(4 * 70);
  expect(keys.size).toBe(4 * 70);
});

test("sessions of later processes have other numbers", async () => {
  const level = await newLevel();
  const first = await open(level);
  const second = await open(await copyOf(level));
  expect(second.session.sessionId).not.toBe(first.session.sessionId);
});

test("a call answers, and watches are told, once the change is durable; whoever sees it waits as well", async () => {
  const level = await newLevel();
  const { session, metadata, clock } = await open(level);
  const order: string[] = [];
  const release = holdWrites(level);
  session.watch("/a", ({ type, key }: MetadataEvent) => order.push(`${type} ${key}`));
  const puts = [session.put("/a", bytes("1")), session.put("/a", bytes("2"), { expectedVersion: 0 })];
  void Promise.all(puts).then(() => order.push("put"));
  const other = metadata.session();
  void other.get("/a").then(() => order.push("get"));
  void other.children("/").then(() => order.push("children"));
  expect(await other.get("/b")).toBeUndefined();
  await clock.settle();
  expect(order).toEqual([]);
  release();
  await clock.settle();
  expect(order).toEqual(expect.arrayContaining(["put", "get", "children", "created /a", "modified /a"]));
});

test("what changes during a write is written together, in one batch", async () => {
  const level = await newLevel();
  const { session } = await open(level);
  let batches = 0;
  level.on("write", () => batches++);
  await Promise.all(Array.from({ length: 200 }, (_, i) => session.put(`/k${i}`, bytes(""))));
  expect(batches).toBe(1);
});

test("after a write that failed every call is refused: memory is ahead of the disk", async () => {
  const level = await newLevel();
  const failures: unknown[] = [];
  const metadata = await openDiskMetadata({
    clock: new ManualClock(),
    level,
    onFailed: (error) => failures.push(error),
  });
  const session = metadata.session();
  await session.put("/a", bytes("1"));
  await level.close();
  await expect(session.put("/a", bytes("2"))).rejects.toMatchObject({ code: "Unavailable" });
  await expect(session.get("/a")).rejects.toMatchObject({ code: "Unavailable" });
  metadata.available = true;
  await expect(session.get("/a")).rejects.toMatchObject({ code: "Unavailable" });
  expect(failures).toHaveLength(1);
  await session.close();
  await metadata.close();
});

test("closing waits for what is being written", async () => {
  const level = await newLevel();
  const { session, metadata } = await open(level);
  const release = holdWrites(level);
  const put = session.put("/a", bytes("1"));
  const closed = metadata.close();
  release();
  await Promise.all([put, closed]);
  expect(level.status).toBe("closed");
});

test("a database of something else is refused", async () => {
  const level = await newLevel();
  await level.put("their key", bytes("their value"));
  await expect(open(level)).rejects.toThrow("holds no metadata of a cluster");
  const other = await newLevel();
  await other.put("format", bytes("pulsewire-metadata 9"));
  await expect(open(other)).rejects.toThrow("pulsewire-metadata 9");
});

/** Keeps batches from being written until the function that is answered is called. */
function holdWrites(level: MetadataLevel): () => void {
  let release!: () => void;
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  const batch = level.batch.bind(level) as () => ReturnType<MetadataLevel["batch"]>;
  (level as { batch: unknown }).batch = () => {
    const real = batch() as unknown as { write(): Promise<void> };
    const write = real.write.bind(real);
    real.write = async () => {
      await held;
      await write();
    };
    return real;
  };
  return release;
}

test("metadata that is not what was stored is refused, whatever was lost of it or came back", async () => {
  const level = await newLevel();
  const { session } = await open(level);
  for (const key of ["/a", "/b", "/c"]) await session.put(key, bytes(key));
  const older = await copyOf(level);
  await session.put("/b", bytes("other"));
  await session.nextSequence("/ids");
  await session.delete("/c");
  const spoil: ((copy: MetadataLevel) => Promise<void>)[] = [
    (copy) => copy.del("v/a"),
    (copy) => copy.del("s/ids"),
    (copy) => copy.del("epoch"),
    (copy) => copy.del("digest"),
    (copy) => copy.put("v/z", new Uint8Array(24)),
    async (copy) => copy.put("v/b", (await older.get("v/b")) as Uint8Array),
    async (copy) => copy.put("v/c", (await older.get("v/c")) as Uint8Array),
  ];
  for (const each of spoil) {
    const copy = await copyOf(level);
    await each(copy);
    await expect(open(copy)).rejects.toMatchObject({ code: "Corrupt" });
  }
  expect(await (await open(await copyOf(older))).session.children("/")).toEqual(["a", "b", "c"]);
  expect(await (await open(await copyOf(level))).session.children("/")).toEqual(["a", "b"]);
});
