import type { Simulation } from "@pulsewire/simulator";
import type { SimulatedStorage } from "./simulated-storage.ts";

type BookKeeper = ReturnType<SimulatedStorage["bookkeeper"]>;
export type Writer = Awaited<ReturnType<BookKeeper["createLedger"]>>;

const utf8 = new TextEncoder();
const fromUtf8 = new TextDecoder();

/** What became of one add: its entry id, or the code it failed with. */
export interface Added {
  readonly text: string;
  outcome: number | string | undefined;
}

/** Adds a text to a ledger, and keeps what becomes of it. */
export function add(writer: Writer, text: string): Added {
  const added: Added = { text, outcome: undefined };
  writer.append(utf8.encode(text), {
    onAdded: (entryId) => {
      added.outcome = entryId;
    },
    onAddFailed: ({ code }) => {
      added.outcome = code;
    },
  });
  return added;
}

/** Adds `prefix0`, `prefix1`, … and waits for all. */
export async function addMany(simulation: Simulation, writer: Writer, count: number, prefix = "e"): Promise<Added[]> {
  const added = Array.from({ length: count }, (_, i) => add(writer, `${prefix}${i}`));
  await simulation.until(() => added.every(({ outcome }) => outcome !== undefined));
  return added;
}

/** The texts of a closed or recovered ledger. */
export async function textsOfLedger(
  simulation: Simulation,
  bookkeeper: BookKeeper,
  ledgerId: number,
): Promise<string[]> {
  const reader = await simulation.finish(bookkeeper.openLedger(ledgerId));
  if (reader.lastConfirmed < 0) return [];
  const entries = await simulation.finish(reader.read(0, reader.lastConfirmed));
  return entries.map(({ payload }) => fromUtf8.decode(payload));
}

/** `prefix0` to the one before `prefix<count>`. */
export function numberedFrom(prefix: string, count: number): string[] {
  return Array.from({ length: count }, (_, i) => `${prefix}${i}`);
}
