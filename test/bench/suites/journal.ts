import { closeSync, fdatasyncSync, mkdtempSync, openSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createNodeRuntime } from "@pulsewire/runtime/node";
import { parseBookieSettings } from "../../../packages/server/src/bookkeeper/index.ts";
import { DataFolder } from "../../../packages/server/src/cluster/data-folder.ts";
import { type Context, SIZES, type Suite } from "../context.ts";
import { type Figure, type Findings, median, OURS } from "../figures.ts";

const DURATION_MS = 1_500;
const WRITERS = [1, 16, 256];
/** Of a record in the journal, and of a group. */
const HEAD_BYTES = 52;
const BARE_LOOP = "bare loop";

const { clock, random } = createNodeRuntime();

/** Entries per second of so many writers, each of which waits for its entry. */
async function stored(path: string, writers: number, payload: Uint8Array): Promise<number> {
  const data = await DataFolder.open({
    path,
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
        const lengthBytes = payload.length * (entryId + 1);
        const entry = { ledgerId, entryId, lac: entryId - 1, lengthBytes, crc32c: 0, payload };
        entryId++;
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
function bare(path: string, writers: number, bytes: number): number {
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

async function run({ quick, progress }: Context): Promise<Findings> {
  const folder = mkdtempSync(join(tmpdir(), "pulsewire-bench-"));
  const figures: Figure[] = [];
  let runs = 0;
  try {
    for (const { bytes, text } of SIZES) {
      for (const writers of WRITERS) {
        progress(`journal, ${text}, ${writers} writers`);
        const ours: number[] = [];
        const loops: number[] = [];
        // in turns, since a disk is not the same all the time
        for (let i = 0; i < (quick ? 3 : 7); i++) {
          loops.push(bare(join(folder, "bare"), writers, bytes));
          ours.push(await stored(join(folder, `run-${runs++}`), writers, new Uint8Array(bytes).fill(120)));
        }
        const row = { what: `made durable, ${text}, ${writers} writers`, unit: "entries/s" };
        figures.push({ ...row, who: OURS, value: median(ours) }, { ...row, who: BARE_LOOP, value: median(loops) });
      }
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
  return {
    figures,
    notes: ["The loop writes and syncs the same bytes and does nothing else; each writer awaits its entry."],
  };
}

/** How many entries a second a bookie's storage makes durable, against a bare loop that writes and syncs as much. */
export const journal: Suite = { name: "journal", title: "A bookie's journal", run };
