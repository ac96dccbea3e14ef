import { createMemoryDisk, type Disk, ManualClock } from "@pulsewire/runtime";
import { expect, test } from "vitest";
import { BookKeeperFixture } from "../bookkeeper-fixture.ts";
import type { Bookie } from "./bookie.ts";
import { DiskUsageMonitor } from "./disk-usage-monitor.ts";

const settings = { diskUsageThreshold: 0.95, diskUsageLwmThreshold: 0.9, diskCheckInterval: 10_000 };

async function setUp() {
  const clock = new ManualClock();
  const usage = { usedBytes: 0, totalBytes: 1000 };
  const disk: Disk = Object.assign(createMemoryDisk(), { usage: async () => ({ ...usage }) });
  const fixture = await BookKeeperFixture.start(1);
  const bookie = fixture.bookies[0] as Bookie;
  const errors: unknown[] = [];
  const monitor = new DiskUsageMonitor({ clock, disk, bookie, settings, onError: (error) => errors.push(error) });
  const use = async (usedBytes: number): Promise<boolean> => {
    usage.usedBytes = usedBytes;
    await clock.advance(10_000);
    return bookie.readOnly;
  };
  return { monitor, use, errors, metadata: fixture.metadata.session() };
}

test("a bookie is read-only from the threshold on, and writable again below the low-water mark", async () => {
  const { use, metadata } = await setUp();
  expect(await use(949)).toBe(false);
  expect(await use(950)).toBe(true);
  expect(await metadata.children("/ledgers/available/readonly")).toEqual(["bookie-0"]);
  expect(await use(920)).toBe(true);
  expect(await use(899)).toBe(false);
  expect(await metadata.children("/ledgers/available")).toEqual(["bookie-0"]);
});

test("a bookie whose storage failed stays read-only", async () => {
  const { monitor, use } = await setUp();
  monitor.storageFailed();
  expect(await use(0)).toBe(true);
});

test("a monitor that was stopped looks no more", async () => {
  const { monitor, use } = await setUp();
  monitor[Symbol.dispose]();
  expect(await use(1000)).toBe(false);
});
