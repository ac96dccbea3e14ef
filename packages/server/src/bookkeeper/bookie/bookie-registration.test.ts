import { createMemoryMessenger, deferred, ManualClock } from "@pulsewire/runtime";
import { expect, it, vi } from "vitest";
import { createMemoryMetadata, type MemoryMetadata } from "../../metadata/memory-metadata-store.ts";
import { UnreliableMetadata } from "../../metadata/unreliable-metadata-fixture.ts";
import { AVAILABLE_BOOKIES_KEY, READONLY_BOOKIES_KEY } from "../wire/bookie-registration.ts";
import { type Bookie, startBookie } from "./bookie.ts";

const ID = "bookie-0";

interface Started {
  clock: ManualClock;
  store: MemoryMetadata;
  metadata: UnreliableMetadata;
  bookie: Bookie;
  /** Told once that a registration failed, and will be tried again. */
  failed: Promise<void>;
}

async function start(): Promise<Started> {
  const clock = new ManualClock();
  const store = createMemoryMetadata({ clock });
  const metadata = new UnreliableMetadata(store.session());
  const failed = deferred<void>();
  const onError = (): void => failed.resolve();
  const bookie = await startBookie({ id: ID, messenger: createMemoryMessenger(), metadata, clock, onError });
  return { clock, store, metadata, bookie, failed: failed.promise };
}

/** As what it is registered. */
async function registeredAs(store: MemoryMetadata): Promise<string[]> {
  const session = store.session();
  const found: string[] = [];
  if (await session.exists(`${AVAILABLE_BOOKIES_KEY}/${ID}`)) found.push("writable");
  if (await session.exists(`${READONLY_BOOKIES_KEY}/${ID}`)) found.push("read-only");
  return found;
}

it("a bookie that is writable again while it is still being registered as read-only ends up registered as writable", async () => {
  const { clock, store, metadata, bookie, failed } = await start();
  metadata.changes = "lost";
  await bookie.setReadOnly(true);
  await failed;
  metadata.changes = "answered";
  const [begun, slow] = [deferred<void>(), deferred<void>()];
  metadata.beforeNextPut(`${READONLY_BOOKIES_KEY}/${ID}`, () => {
    begun.resolve();
    return slow.promise;
  });
  clock.advance(1_000);
  await begun.promise;
  const writable = bookie.setReadOnly(false);
  slow.resolve();
  await writable;
  await vi.waitFor(async () => expect(await registeredAs(store)).toEqual(["writable"]));
  await bookie.stop();
  expect(await registeredAs(store)).toEqual([]);
});

it("a bookie is registered as one thing only, however long what it was before cannot be removed", async () => {
  const { clock, store, metadata, bookie } = await start();
  metadata.changes = "lost";
  metadata.changedKeys = new RegExp(`^${AVAILABLE_BOOKIES_KEY}/${ID}$`);
  await bookie.setReadOnly(true);
  expect(await registeredAs(store)).toEqual(["writable", "read-only"]);
  metadata.changes = "answered";
  await vi.waitFor(async () => {
    clock.advance(1_000);
    expect(await registeredAs(store)).toEqual(["read-only"]);
  });
  await bookie.stop();
});
