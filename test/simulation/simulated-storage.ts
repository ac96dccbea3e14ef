import { createQuickDrain } from "@pulsewire/runtime/node";
import { createSimulation, type Simulation, type SimulationOptions } from "@pulsewire/simulator";
import { type Bookie, createBookKeeperClient, startBookie } from "../../packages/server/src/bookkeeper/index.ts";
import {
  createManagedLedgerFactory,
  type ManagedLedger,
  type ManagedLedgerError,
  type ManagedLedgerFactory,
  type Position,
} from "../../packages/server/src/managed-ledger/index.ts";
import { createMemoryMetadata, type MemoryMetadata } from "../../packages/server/src/metadata/index.ts";
import { metadataLink } from "./simulated-cluster.ts";

/** Bookies and metadata without brokers; owners of managed ledgers are made one by one. */
export interface SimulatedStorage {
  readonly simulation: Simulation;
  readonly metadata: MemoryMetadata;
  readonly bookies: readonly Bookie[];
  /** A node's way to bookies; one for each node. */
  bookkeeper(node: string): ReturnType<typeof createBookKeeperClient>;
  owner(node: string): ManagedLedgerFactory;
}

export async function startSimulatedStorage(options: {
  seed: number;
  bookies: number;
  faults?: SimulationOptions["faults"];
}): Promise<SimulatedStorage> {
  const { seed, faults = {} } = options;
  const simulation = createSimulation({ seed, drain: createQuickDrain(), faults });
  const metadata = createMemoryMetadata({ clock: simulation.clock });
  const linked = metadataLink(simulation);
  const starting = Array.from({ length: options.bookies }, (_, i) => {
    const id = `bookie-${i}`;
    const { clock, messenger } = simulation.runtimeFor(id);
    return startBookie({ id, messenger, metadata: linked(metadata.session({ clock }), id) });
  });
  const node = (nodeId: string) => {
    const { clock, messenger, random } = simulation.runtimeFor(nodeId);
    const session = linked(metadata.session({ clock }), nodeId);
    return {
      clock,
      metadata: session,
      bookkeeper: createBookKeeperClient({ clock, random, messenger, metadata: session, nodeId }),
    };
  };
  return {
    simulation,
    metadata,
    bookies: await simulation.finish(Promise.all(starting)),
    bookkeeper: (nodeId) => node(nodeId).bookkeeper,
    owner: (nodeId) => createManagedLedgerFactory(node(nodeId)),
  };
}

/** What became of one append. */
export interface Appended {
  readonly text: string;
  readonly sentMs: number;
  position?: Position;
  settledMs?: number;
  error?: ManagedLedgerError;
}

/** Appends a text, and keeps what becomes of it. */
export function append(simulation: Simulation, ledger: ManagedLedger, text: string): Appended {
  const appended: Appended = { text, sentMs: simulation.elapsedMs };
  ledger.append(new TextEncoder().encode(text), {
    onAppended: (position) => {
      appended.position = position;
      appended.settledMs = simulation.elapsedMs;
    },
    onAppendFailed: (error) => {
      appended.error = error;
      appended.settledMs = simulation.elapsedMs;
    },
  });
  return appended;
}

/** The texts of a managed ledger, by position, from its first entry on. */
export async function entriesOf(ledger: ManagedLedger): Promise<Map<string, string>> {
  const cursor = ledger.newNonDurableCursor("check", ledger.previousPosition(ledger.firstPosition));
  const entries = new Map<string, string>();
  try {
    while (cursor.hasMoreEntries()) {
      for (const entry of await cursor.read(100, 1_000_000)) {
        entries.set(`${entry.ledgerId}:${entry.entryId}`, new TextDecoder().decode(entry.data));
      }
    }
    return entries;
  } finally {
    await cursor.close();
  }
}

export function placeOf({ position }: Appended): string {
  return position === undefined ? "none" : `${position.ledgerId}:${position.entryId}`;
}
