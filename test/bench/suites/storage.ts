import { createNodeRuntime } from "@pulsewire/runtime/node";
import { startBookie } from "../../../packages/server/src/bookkeeper/bookie/bookie.ts";
import { createBookKeeperClient } from "../../../packages/server/src/bookkeeper/client/bookkeeper-client.ts";
import type {
  AppendListener,
  ManagedLedger,
  ManagedLedgerError,
} from "../../../packages/server/src/managed-ledger/managed-ledger.ts";
import { createManagedLedgerFactory } from "../../../packages/server/src/managed-ledger/managed-ledger-factory.ts";
import { createMemoryMetadata } from "../../../packages/server/src/metadata/memory-metadata-store.ts";
import type { Context, Suite } from "../context.ts";
import { type Findings, median, OURS } from "../figures.ts";

const ENTRY_BYTES = 1024;
const PER_TURN = 100;
const TURNS_IN_FLIGHT = 4;

const { clock, random, messenger } = createNodeRuntime();

/** Appends the next entries as soon as earlier ones are acknowledged. */
class Load implements AppendListener {
  readonly #ledger: ManagedLedger;
  readonly #payload: Uint8Array;
  readonly #entries: number;
  readonly #done: () => void;
  #appended = 0;
  #acknowledged = 0;

  constructor(ledger: ManagedLedger, payload: Uint8Array, entries: number, done: () => void) {
    this.#ledger = ledger;
    this.#payload = payload;
    this.#entries = entries;
    this.#done = done;
  }

  more(): void {
    for (let i = 0; i < PER_TURN && this.#appended < this.#entries; i++) {
      this.#appended++;
      this.#ledger.append(this.#payload, this);
    }
  }

  onAppended(): void {
    if (++this.#acknowledged === this.#entries) this.#done();
    else if (this.#acknowledged % PER_TURN === 0) clock.soon(() => this.more());
  }

  onAppendFailed(error: ManagedLedgerError): void {
    throw error;
  }
}

async function openFactory(): Promise<ReturnType<typeof createManagedLedgerFactory>> {
  const store = createMemoryMetadata({ clock });
  for (let i = 0; i < 3; i++) await startBookie({ id: `bookie-${i}`, messenger, metadata: store.session() });
  const metadata = store.session();
  const bookkeeper = createBookKeeperClient({ clock, random, messenger, metadata, nodeId: "broker" });
  return createManagedLedgerFactory({ clock, bookkeeper, metadata });
}

async function run({ quick, progress }: Context): Promise<Findings> {
  const factory = await openFactory();
  const entries = quick ? 200_000 : 600_000;
  const rates: number[] = [];
  for (let round = 0; round < 4; round++) {
    progress(`appends, round ${round + 1} of 4`);
    const ledger = await factory.open(`public/default/persistent/bench-${round}`, { minRolloverMs: 0 });
    const startMs = clock.monotonicMs();
    await new Promise<void>((resolve) => {
      const load = new Load(ledger, random.bytes(ENTRY_BYTES), entries, resolve);
      for (let i = 0; i < TURNS_IN_FLIGHT; i++) load.more();
    });
    rates.push(entries / ((clock.monotonicMs() - startMs) / 1000));
    await ledger.delete();
  }
  const value = median(rates.slice(1));
  return { figures: [{ what: "entries appended, 1 KiB", who: OURS, value, unit: "entries/s" }], notes: [] };
}

/** One managed ledger on three bookies in the same process, E=3 Qw=3 Qa=2. */
export const storage: Suite = { name: "storage", title: "Storage alone", run };
