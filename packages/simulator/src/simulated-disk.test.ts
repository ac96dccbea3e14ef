import { expect, test } from "vitest";
import type { Simulation } from "./simulation.ts";
import { bytesOf, simulate, textOf } from "./simulation-fixture.ts";

async function contentOf(simulation: Simulation, path: string): Promise<string> {
  const disk = simulation.diskOf("a");
  const reading = disk.open(path).then(async (file) => textOf(await file.read(0, file.sizeBytes)));
  return simulation.finish(reading);
}

/** Writes and syncs one text, appends another, and lets the node crash. */
async function crashAfter(simulation: Simulation, synced: string, unsynced: string): Promise<void> {
  const disk = simulation.diskOf("a");
  const writing = (async () => {
    const file = await disk.open("f");
    await file.append(bytesOf(synced));
    await file.sync();
    await disk.syncFolder("");
    await file.append(bytesOf(unsynced));
  })();
  await simulation.finish(writing);
  simulation.crash("a");
  simulation.restart("a");
}

test("without faults it is a disk, and a crash of the process takes nothing", async () => {
  const simulation = simulate();
  await crashAfter(simulation, "one", "two");
  expect(await contentOf(simulation, "f")).toBe("onetwo");
  const disk = simulation.diskOf("a");
  await simulation.finish(disk.open("d/x").then((file) => file.append(bytesOf("12345"))));
  await disk.rename("d/x", "d/y");
  expect(await disk.list("")).toEqual(["d", "f"]);
  expect(await disk.list("d")).toEqual(["y"]);
  expect((await disk.usage()).usedBytes).toBe(11);
  await disk.remove("d/y");
  expect(await disk.list("d")).toEqual([]);
  await expect(disk.rename("d/y", "d/z")).rejects.toMatchObject({ code: "NotFound" });
});

test("what was not synced may be lost at a crash", async () => {
  const simulation = simulate({ disk: { unsyncedLossProbability: 1 } });
  await crashAfter(simulation, "one", "two");
  expect(await contentOf(simulation, "f")).toBe("one");
});

test("tells how much crashes took", async () => {
  const simulation = simulate({ disk: { unsyncedLossProbability: 1 } });
  await crashAfter(simulation, "one", "two");
  expect(simulation.diskOf("a").losses).toEqual({ files: 1, torn: 0, names: 0 });
  await simulation.finish(simulation.diskOf("a").open("g"));
  simulation.crash("a");
  expect(simulation.diskOf("a").losses).toEqual({ files: 1, torn: 0, names: 1 });
});

test("another disk in its place has nothing on it, and a crash brings nothing back", async () => {
  const simulation = simulate({ disk: { unsyncedLossProbability: 1 } });
  await crashAfter(simulation, "one", "two");
  simulation.crash("a");
  simulation.diskOf("a").wipe();
  simulation.restart("a");
  expect(await simulation.diskOf("a").list("")).toEqual([]);
  simulation.crash("a");
  simulation.restart("a");
  expect(await simulation.diskOf("a").list("")).toEqual([]);
});

test("of what was not synced the beginning may survive", async () => {
  const lengths = new Set<number>();
  for (let seed = 1; seed <= 20; seed++) {
    const simulation = simulate({ disk: { unsyncedLossProbability: 1, tornWriteProbability: 1 } }, seed);
    await crashAfter(simulation, "one", "abcdefghij");
    const content = await contentOf(simulation, "f");
    expect("oneabcdefghij".startsWith(content)).toBe(true);
    expect(content.length).toBeGreaterThanOrEqual(3);
    lengths.add(content.length);
  }
  expect(lengths.size).toBeGreaterThan(4);
});

test("a truncation that was not synced may be undone by a crash", async () => {
  const simulation = simulate({ disk: { unsyncedLossProbability: 1 } });
  const disk = simulation.diskOf("a");
  const writing = (async () => {
    const file = await disk.open("f");
    await file.append(bytesOf("0123456789"));
    await file.sync();
    await disk.syncFolder("");
    await file.truncate(8);
    await file.truncate(3);
    await file.append(bytesOf("new"));
  })();
  await simulation.finish(writing);
  expect(await contentOf(simulation, "f")).toBe("012new");
  simulation.crash("a");
  expect(await contentOf(simulation, "f")).toBe("0123456789");
});

test("a file, its new name or its removal is durable with its folder only", async () => {
  const simulation = simulate({ disk: { unsyncedLossProbability: 1 } });
  const disk = simulation.diskOf("a");
  for (const path of ["d/kept", "d/renamed", "d/removed"]) {
    const file = await disk.open(path);
    await file.append(bytesOf(path));
    await file.sync();
  }
  await disk.syncFolder("d");
  const late = await disk.open("d/late");
  await late.sync();
  await disk.rename("d/renamed", "d/new-name");
  await disk.remove("d/removed");
  simulation.crash("a");
  expect(await disk.list("d")).toEqual(["kept", "removed", "renamed"]);
  expect(await contentOf(simulation, "d/renamed")).toBe("d/renamed");
});

test("operations take their time, one after the other", async () => {
  const simulation = simulate({ disk: { latencyMsMin: 2, latencyMsMax: 2, syncMsMin: 10, syncMsMax: 10 } });
  const disk = simulation.diskOf("a");
  const file = await simulation.finish(disk.open("f"));
  const startMs = simulation.elapsedMs;
  const operations = Promise.all([file.append(bytesOf("a")), file.append(bytesOf("b")), file.sync()]);
  await simulation.finish(operations);
  expect(simulation.elapsedMs - startMs).toBe(2 + 2 + 12);
  expect(await contentOf(simulation, "f")).toBe("ab");
});

test("a full disk takes no more, and says so", async () => {
  const simulation = simulate({ disk: { sizeBytesMax: 10 } });
  const disk = simulation.diskOf("a");
  const file = await disk.open("f");
  await file.append(new Uint8Array(8));
  await expect(file.append(new Uint8Array(3))).rejects.toMatchObject({ code: "NoSpace" });
  await file.append(new Uint8Array(2));
  expect(await disk.usage()).toEqual({ usedBytes: 10, totalBytes: 10 });
});

test("reads, writes and syncs may fail; what failed left no trace", async () => {
  const simulation = simulate({ disk: { unsyncedLossProbability: 1 } });
  const disk = simulation.diskOf("a");
  const file = await disk.open("f");
  await disk.syncFolder("");
  disk.faults.writeErrorProbability = 1;
  await expect(file.append(bytesOf("no"))).rejects.toMatchObject({ code: "InputOutput" });
  disk.faults.writeErrorProbability = 0;
  await file.append(bytesOf("yes"));
  disk.faults.syncErrorProbability = 1;
  await expect(file.sync()).rejects.toMatchObject({ code: "InputOutput" });
  disk.faults.readErrorProbability = 1;
  await expect(file.read(0, 3)).rejects.toMatchObject({ code: "InputOutput" });
  disk.faults.readErrorProbability = 0;
  expect(textOf(await file.read(0, 3))).toBe("yes");
  simulation.crash("a");
  expect(await contentOf(simulation, "f")).toBe("");
});

test("bits rot when they are read, or when a test says so", async () => {
  const simulation = simulate({ disk: { bitRotProbability: 1 } });
  const disk = simulation.diskOf("a");
  const file = await disk.open("f");
  await file.append(new Uint8Array(100));
  const bits = (bytes: Uint8Array): number =>
    bytes.reduce((sum, byte) => sum + byte.toString(2).split("1").length - 1, 0);
  expect(bits(await file.read(0, 100))).toBe(1);
  disk.faults.bitRotProbability = 0;
  expect(bits(await file.read(0, 100))).toBe(1);
  const before = await file.read(50, 1);
  disk.corrupt("f", 8 * 50 + 3);
  expect((await file.read(50, 1))[0]).toBe((before[0] as number) ^ 8);
});

test("a file of a node that crashed is of no use to its remains", async () => {
  const simulation = simulate();
  const file = await simulation.diskOf("a").open("f");
  simulation.crash("a");
  await expect(file.append(bytesOf("x"))).rejects.toMatchObject({ code: "Closed" });
});
