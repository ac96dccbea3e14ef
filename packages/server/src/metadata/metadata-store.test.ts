import { type Clock, ManualClock } from "@pulsewire/runtime";
import { MemoryLevel } from "memory-level";
import { describe, expect, test } from "vitest";
import { openDiskMetadata } from "./disk-metadata-store.ts";
import { createMemoryMetadata, type MemoryMetadata } from "./memory-metadata-store.ts";
import type { MetadataEvent } from "./metadata-store.ts";

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

async function onDisk(clock: Clock): Promise<MemoryMetadata> {
  const level = new MemoryLevel<string, Uint8Array>({ valueEncoding: "view", storeEncoding: "view" });
  await level.open();
  return openDiskMetadata({ clock, level });
}

describe.each([
  ["memory", async (clock: Clock) => createMemoryMetadata({ clock })],
  ["disk", onDisk],
] as const)("metadata store: %s", (_, create) => {
  async function setUp() {
    const clock = new ManualClock();
    const metadata = await create(clock);
    return { clock, metadata, session: metadata.session() };
  }

  test("a put is seen by every session, with a version that rises by one", async () => {
    const { metadata, session } = await setUp();
    expect((await session.put("/a/b", bytes("1"))).stat.version).toBe(0);
    expect((await session.put("/a/b", bytes("2"))).stat.version).toBe(1);
    const found = await metadata.session().get("/a/b");
    expect(new TextDecoder().decode(found?.value)).toBe("2");
    expect(found?.stat).toMatchObject({ version: 1, ephemeral: false });
    expect(await session.get("/a")).toBeUndefined();
  });

  test("a put or delete at another version than expected is refused and changes nothing", async () => {
    const { session } = await setUp();
    await session.put("/k", bytes("1"), { expectedVersion: -1 });
    await expect(session.put("/k", bytes("2"), { expectedVersion: -1 })).rejects.toMatchObject({ code: "BadVersion" });
    await expect(session.put("/k", bytes("2"), { expectedVersion: 5 })).rejects.toMatchObject({ code: "BadVersion" });
    await expect(session.put("/other", bytes("2"), { expectedVersion: 0 })).rejects.toMatchObject({
      code: "BadVersion",
    });
    await expect(session.delete("/k", 3)).rejects.toMatchObject({ code: "BadVersion" });
    await expect(session.delete("/none")).rejects.toMatchObject({ code: "NotFound" });
    expect((await session.get("/k"))?.stat.version).toBe(0);
    await session.delete("/k", 0);
    expect(await session.exists("/k")).toBe(false);
    expect((await session.put("/k", bytes("3"), { expectedVersion: -1 })).stat.version).toBe(0);
  });

  test("children are the names directly below, sorted, of folders too, and vanish with the last of them", async () => {
    const { session } = await setUp();
    for (const key of ["/a/c/x", "/a/b", "/ab/z"]) await session.put(key, bytes(""));
    expect(await session.children("/a")).toEqual(["b", "c"]);
    expect(await session.children("/")).toEqual(["a", "ab"]);
    await session.delete("/a/c/x");
    expect(await session.children("/a")).toEqual(["b"]);
    expect(await session.children("/none")).toEqual([]);
  });

  test("sequential keys and sequences never give a number twice", async () => {
    const { metadata, session } = await setUp();
    const first = await session.put("/q/n-", bytes(""), { sequential: true });
    await session.delete(first.key);
    const second = await session.put("/q/n-", bytes(""), { sequential: true });
    expect([first.key, second.key]).toEqual(["/q/n-0000000000", "/q/n-0000000001"]);
    expect(await session.nextSequence("/ids")).toBe(0);
    expect(await metadata.session().nextSequence("/ids")).toBe(1);
  });

  test("watches are told after the change, in order, of keys below their prefix alone", async () => {
    const { clock, session } = await setUp();
    const events: MetadataEvent[] = [];
    const watch = session.watch("/a", (event) => events.push(event));
    const put = session.put("/a/x", bytes("1"));
    expect(events).toEqual([]);
    await put;
    await session.put("/a/x", bytes("2"));
    await session.put("/ab", bytes(""));
    await session.delete("/a/x");
    await clock.settle();
    expect(events.map((e) => `${e.type} ${e.key}`)).toEqual([
      "created /a/x",
      "childrenChanged /a",
      "modified /a/x",
      "deleted /a/x",
      "childrenChanged /a",
    ]);
    watch[Symbol.dispose]();
    await session.put("/a/y", bytes(""));
    await clock.settle();
    expect(events).toHaveLength(5);
  });

  test("a session that is cut off expires after its timeout, and its ephemeral keys with it", async () => {
    const { clock, metadata, session } = await setUp();
    const other = metadata.session();
    let expired = 0;
    session.onSessionExpired(() => expired++);
    await session.put("/e", bytes(""), { ephemeral: true });
    await session.put("/p", bytes(""));
    await clock.advance(120_000);
    expect(expired).toBe(0);
    metadata.disconnect(session);
    await expect(session.get("/e")).rejects.toMatchObject({ code: "Unavailable" });
    await clock.advance(19_000);
    expect(await other.exists("/e")).toBe(true);
    await clock.advance(11_000);
    expect(await other.exists("/e")).toBe(false);
    expect(await other.exists("/p")).toBe(true);
    expect(expired).toBe(1);
    await expect(session.get("/p")).rejects.toMatchObject({ code: "SessionExpired" });
  });

  test("a session that comes back in time keeps its keys", async () => {
    const { clock, metadata, session } = await setUp();
    await session.put("/e", bytes(""), { ephemeral: true });
    metadata.disconnect(session);
    await clock.advance(15_000);
    metadata.reconnect(session);
    await clock.advance(100_000);
    expect(await session.exists("/e")).toBe(true);
  });

  test("a node whose clock stands still loses its session", async () => {
    const { clock, metadata } = await setUp();
    const frozen = new ManualClock();
    const session = metadata.session({ clock: frozen });
    await session.put("/e", bytes(""), { ephemeral: true });
    await clock.advance(31_000);
    expect(await metadata.session().exists("/e")).toBe(false);
  });

  test("while the store is down calls fail and no session expires", async () => {
    const { clock, metadata, session } = await setUp();
    await session.put("/e", bytes(""), { ephemeral: true });
    metadata.available = false;
    await expect(session.put("/x", bytes(""))).rejects.toMatchObject({ code: "Unavailable" });
    await clock.advance(100_000);
    metadata.available = true;
    expect(await session.exists("/e")).toBe(true);
  });

  test("closing a session takes its ephemeral keys and leaves no timer", async () => {
    const { clock, metadata } = await setUp();
    const before = clock.pendingTimers;
    const session = metadata.session();
    await session.put("/e", bytes(""), { ephemeral: true });
    await session.close();
    await session.close();
    expect(clock.pendingTimers).toBe(before);
    expect(await metadata.session().exists("/e")).toBe(false);
  });

  test("an ephemeral key that another session took over stays when the first one ends", async () => {
    const { metadata, session } = await setUp();
    const other = metadata.session();
    await session.put("/owner", bytes("1"), { ephemeral: true });
    await other.put("/owner", bytes("2"), { ephemeral: true });
    metadata.expire(session);
    expect(await other.exists("/owner")).toBe(true);
    metadata.expire(other);
    expect(await metadata.session().exists("/owner")).toBe(false);
  });
});
