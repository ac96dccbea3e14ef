import { createMemoryDisk, createSeededRandom, type Disk, ManualClock, type Random } from "@pulsewire/runtime";
import { expect, test } from "vitest";
import type { LedgersBefore } from "./deleted-ledgers.ts";
import { DiskLedgerStorage } from "./disk-ledger-storage.ts";
import type { IndexLevel } from "./location-index.ts";
import { add, copyOfIndex, entryOf, openMemoryIndex, textAt } from "./storage-fixture.ts";

const SEEDS = 40;
const STEPS = 60;
/** Beyond every entry there is: whether a ledger takes adds. */
const PROBE = 5_000;

interface KnownLedger {
  readonly stored: Set<number>;
  fenced: boolean;
  deleted: boolean;
}

/** A storage whose files are damaged again and again, and what was confirmed by it. */
class DamagedStorage {
  readonly wrong: string[] = [];
  damages = 0;
  readonly #random: Random;
  readonly #disk: Disk = createMemoryDisk();
  readonly #clock = new ManualClock();
  readonly #ledgers = new Map<number, KnownLedger>();
  #lastId = 0;
  #index!: IndexLevel;
  #storage!: DiskLedgerStorage;

  constructor(random: Random) {
    this.#random = random;
  }

  async start(index: IndexLevel): Promise<void> {
    this.#index = index;
    const ledgersBefore = async (): Promise<LedgersBefore> => {
      const ids = [...this.#ledgers].filter(([, { deleted }]) => !deleted).map(([id]) => id);
      return { ids, lastId: this.#lastId };
    };
    this.#storage = await DiskLedgerStorage.open({ disk: this.#disk, clock: this.#clock, index, ledgersBefore });
  }

  async step(): Promise<void> {
    const ledgerId = 1 + this.#random.integer(this.#lastId + 1);
    const known = this.#ledgers.get(ledgerId);
    const what = this.#random.integer(20);
    if (what < 10 && known?.deleted !== true) await this.#addSome(ledgerId, what >= 7);
    else if (what === 10 && known?.deleted === false) {
      await this.#storage.fence(ledgerId);
      known.fenced = true;
    } else if (what === 11 && known !== undefined) {
      await this.#storage.delete(ledgerId);
      known.deleted = true;
    } else if (what === 12) await this.#storage.checkpoint();
    else if (what === 13) await this.#storage.compact(0.9);
    else if (what === 14) await this.#giveCopies();
    else if (what > 14) await this.#crash();
  }

  /** What was stored may have been lost, and is never said not to be there; nobody gets in who must not. */
  async check(): Promise<void> {
    for (const [id, { stored, fenced, deleted }] of this.#ledgers) {
      if (!deleted) {
        for (const entryId of stored) {
          const text = await textAt(this.#storage, id, entryId);
          if (text !== textOf(id, entryId) && text !== "StorageFailed") this.wrong.push(`${id}:${entryId} is ${text}`);
        }
      }
      if ((!fenced && !deleted) || this.#storage.mayBeForgotten(id)) continue;
      if ([await add(this.#storage, [entryOf(id, PROBE)])].flat()[0] === "Ok") this.wrong.push(`${id} takes adds`);
    }
  }

  async #addSome(ledgerId: number, recovery: boolean): Promise<void> {
    this.#lastId = Math.max(this.#lastId, ledgerId);
    const ledger = this.#ledgers.get(ledgerId) ?? { stored: new Set(), fenced: false, deleted: false };
    this.#ledgers.set(ledgerId, ledger);
    const first = recovery ? this.#random.integer(4) : ledger.stored.size;
    const ids = Array.from({ length: 1 + this.#random.integer(4) }, (_, i) => first + i);
    const entries = ids.map((entryId) => entryOf(ledgerId, entryId, textOf(ledgerId, entryId)));
    const codes = await add(this.#storage, entries, recovery);
    for (const [i, id] of ids.entries()) if ((Array.isArray(codes) ? codes[i] : codes) === "Ok") ledger.stored.add(id);
  }

  /** As a replication worker does, which may be ended amid its copies. */
  async #giveCopies(): Promise<void> {
    for (const id of [...this.#storage.doubtfulIds()]) {
      const ledger = this.#ledgers.get(id);
      if (ledger === undefined || ledger.deleted || this.#random.integer(2) === 0) continue;
      const isEnded = this.#random.integer(3) === 0;
      for (const entryId of ledger.stored) {
        if ((await textAt(this.#storage, id, entryId)) === textOf(id, entryId)) continue;
        await add(this.#storage, [entryOf(id, entryId, textOf(id, entryId))], true);
        if (isEnded) break;
      }
      if (!isEnded) await this.#storage.endDoubt(id, ledger.fenced);
    }
  }

  async #crash(): Promise<void> {
    if (this.#random.integer(2) === 0) {
      // damage of what was synced, with something behind it
      await this.start(await copyOfIndex(this.#index));
      await add(this.#storage, [entryOf(100_000, this.damages)]);
      await this.#damage();
    }
    await this.start(this.#random.integer(6) === 0 ? await openMemoryIndex() : await copyOfIndex(this.#index));
    await this.check();
  }

  async #damage(): Promise<void> {
    const journals = (await this.#disk.list("journal")).slice(0, -1).map((name) => `journal/${name}`);
    const logs = (await this.#disk.list("entry-logs")).map((name) => `entry-logs/${name}`);
    const checkpoint = (await this.#disk.list("")).filter((name) => name === "checkpoint");
    const files = [...journals, ...logs, ...checkpoint];
    const path = files[this.#random.integer(Math.max(1, files.length))];
    if (path === undefined) return;
    this.damages++;
    const how = this.#random.integer(4);
    if (how === 0) return this.#disk.remove(path);
    const file = await this.#disk.open(path);
    const bytes = new Uint8Array(await file.read(0, file.sizeBytes));
    // another version says that it is another
    const from = path === "checkpoint" ? 24 : 0;
    const at = Math.min(from + this.#random.integer(Math.max(1, bytes.length - from)), bytes.length);
    await file.truncate(how === 1 ? at : 0);
    if (how === 2 && at < bytes.length) bytes[at] = (bytes[at] as number) ^ 0x10;
    if (how === 3) bytes.fill(0, at, at + 1 + this.#random.integer(500));
    if (how !== 1) await file.append(bytes);
    await file.close();
  }
}

/** A third of the entries are large, so that logs and journals have several. */
function textOf(ledgerId: number, entryId: number): string {
  return `${ledgerId}:${entryId}${(ledgerId + entryId) % 3 === 0 ? "x".repeat(30_000) : ""}`;
}

test("whatever is damaged, mended and killed: nothing that was stored is denied, and fences and deletions hold", async () => {
  const wrong: string[] = [];
  let damages = 0;
  for (let seed = 0; seed < SEEDS; seed++) {
    const random = createSeededRandom(seed);
    const storage = new DamagedStorage(random);
    await storage.start(await openMemoryIndex());
    for (let i = 0; i < STEPS && storage.wrong.length === 0; i++) await storage.step();
    await storage.check();
    wrong.push(...storage.wrong.map((what) => `seed ${seed}: ${what}`));
    damages += storage.damages;
  }
  expect(wrong).toEqual([]);
  expect(damages).toBeGreaterThan(SEEDS);
});
