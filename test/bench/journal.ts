// How many entries a second a bookie's storage makes durable, against a bare loop that writes and syncs the same bytes.
//   node --conditions=source --import tsx test/bench/journal.ts
import { closeSync, fdatasyncSync, mkdtempSync, openSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createNodeRuntime } from "@pulsewire/runtime/node";
import { parseBookieSettings } from "../../packages/server/src/bookkeeper/index.ts";
import { DataFolder } from "../../packages/server/src/cluster/data-folder.ts";

const DURATION_MS = 1_500;
const REPEATS = 7;
/** Of a record in the journal, and of a group. */
const HEAD_BYTES = 52;

const folder = mkdtempSync(join(tmpdir(), "pulsewire-bench-"));
const { clock, random } = createNodeRuntime();
let runs = 0;

/** Entries per second of so many writers, each of which waits for its entry. */
async function stored(writers: number, payload: Uint8Array): Promise<number> {
  const data = await DataFolder.open({
    path: join(folder, `run-${runs++}`),
    clusterName: "bench",
    bookies: 1,
    settings: parseBookieSettings(),
    clock,
    random,
    onError: (error) => console.error(error),
  });
  const { storage } = await data.openBookie({ index: 0, bookieId: "bookie", clock });
  const endMs = performance.now() + DURATION_MS;
  let entries = 0;
  const write = (ledgerId: number): Promise<void> =>
    new Promise((resolve) => {
      let entryId = 0;
      const next = (): void => {
        const entry = {
          ledgerId,
          entryId,
          lac: entryId - 1,
          lengthBytes: payload.length * ++entryId,
          crc32c: 0,
          payload,
        };
        storage.add([entry], false, { onStored });
      };
      const onStored = (): void => {
        entries++;
        if (performance.now() < endMs) next();
        else resolve();
      };
      next();
    });
  await Promise.all(Array.from({ length: writers }, (_, ledgerId) => write(ledgerId)));
  await storage.close();
  await data.close();
  return (entries * 1000) / DURATION_MS;
}

/** The same, of a loop that does nothing else. */
function bare(writers: number, bytes: number): number {
  const path = join(folder, "bare");
  const file = openSync(path, "w");
  const group = new Uint8Array(writers * (bytes + HEAD_BYTES) + HEAD_BYTES).fill(1);
  const endMs = performance.now() + DURATION_MS;
  let syncs = 0;
  for (; performance.now() < endMs; syncs++) {
    writeSync(file, group);
    fdatasyncSync(file);
  }
  closeSync(file);
  rmSync(path);
  return (syncs * writers * 1000) / DURATION_MS;
}

const median = (values: number[]): number => values.sort((a, b) => a - b)[values.length >> 1] as number;

for (const bytes of [100, 1024]) {
  for (const writers of [1, 16, 256]) {
    const ours: number[] = [];
    const loops: number[] = [];
    // in turns, since a disk is not the same all the time
    for (let i = 0; i < REPEATS; i++) {
      loops.push(bare(writers, bytes));
      ours.push(await stored(writers, new Uint8Array(bytes).fill(120)));
    }
    const [a, b] = [median(ours), median(loops)];
    console.log(
      `${bytes} B, ${writers} writers: ${a.toFixed(0)}/s, bare loop ${b.toFixed(0)}/s: ${(a / b).toFixed(2)}`,
    );
  }
}
rmSync(folder, { recursive: true });
