// Appends a second into one managed ledger with three bookies in the same process (E=3 Qw=3 Qa=2, 1 KiB entries).
// By hand: node --conditions=source --import tsx test/bench/storage-append.ts
import { createNodeRuntime } from "@pulsewire/runtime/node";
import { startBookie } from "../../packages/server/src/bookkeeper/bookie/bookie.ts";
import { createBookKeeperClient } from "../../packages/server/src/bookkeeper/client/bookkeeper-client.ts";
import type {
  AppendListener,
  ManagedLedger,
  ManagedLedgerError,
} from "../../packages/server/src/managed-ledger/managed-ledger.ts";
import { createManagedLedgerFactory } from "../../packages/server/src/managed-ledger/managed-ledger-factory.ts";
import { createMemoryMetadata } from "../../packages/server/src/metadata/memory-metadata-store.ts";

const { clock, random, messenger } = createNodeRuntime();
const ENTRIES = 600_000;
const PER_TURN = 100;
const TURNS_IN_FLIGHT = 4;

/** Appends the next entries as soon as earlier ones are acknowledged. */
class Load implements AppendListener {
  readonly #ledger: ManagedLedger;
  readonly #payload: Uint8Array;
  readonly #done: () => void;
  #appended = 0;
  #acknowledged = 0;

  constructor(ledger: ManagedLedger, payload: Uint8Array, done: () => void) {
    this.#ledger = ledger;
    this.#payload = payload;
    this.#done = done;
  }

  more(): void {
    for (let i = 0; i < PER_TURN && this.#appended < ENTRIES; i++) {
      this.#appended++;
      this.#ledger.append(this.#payload, this);
    }
  }

  onAppended(): void {
    if (++this.#acknowledged === ENTRIES) this.#done();
    else if (this.#acknowledged % PER_TURN === 0) clock.soon(() => this.more());
  }

  onAppendFailed(error: ManagedLedgerError): void {
    throw error;
  }
}

const metadataStore = createMemoryMetadata({ clock });
for (let i = 0; i < 3; i++) await startBookie({ id: `bookie-${i}`, messenger, metadata: metadataStore.session() });
const metadata = metadataStore.session();
const bookkeeper = createBookKeeperClient({ clock, random, messenger, metadata, nodeId: "broker" });
const factory = createManagedLedgerFactory({ clock, bookkeeper, metadata });
for (let round = 0; round < 4; round++) {
  const ledger = await factory.open(`public/default/persistent/bench-${round}`, { minRolloverMs: 0 });
  const startMs = clock.monotonicMs();
  await new Promise<void>((resolve) => {
    const load = new Load(ledger, random.bytes(1024), resolve);
    for (let i = 0; i < TURNS_IN_FLIGHT; i++) load.more();
  });
  const perSecond = ENTRIES / ((clock.monotonicMs() - startMs) / 1000);
  console.log(`${Math.round(perSecond).toLocaleString("en")} appends/s`);
  await ledger.delete();
}
