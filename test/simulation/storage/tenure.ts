import type { Clock, Random } from "@pulsewire/runtime";
import type {
  ManagedCursor,
  ManagedLedger,
  ManagedLedgerError,
  Position,
} from "../../../packages/server/src/managed-ledger/index.ts";
import { sleep } from "../producing.ts";
import { type Append, placeOf, type StorageHistory } from "./storage-history.ts";
import type { StoragePlan } from "./storage-plan.ts";

export interface TenureOptions {
  log: string;
  /** Its own, and part of its texts. */
  name: string;
  ledger: ManagedLedger;
  clock: Clock;
  random: Random;
  plan: StoragePlan;
  history: StorageHistory;
}

const OVER: ReadonlySet<string> = new Set<ManagedLedgerError["code"]>(["Fenced", "Closed", "Terminated"]);
/** Appends without an answer, at most. */
const PENDING_MAX = 50;
export const CURSOR = "sub";

/** One owner of one log, from the moment it has it until it notices that it has it no more: appends, reads, acknowledges. */
export class Tenure {
  readonly log: string;
  readonly name: string;
  readonly #options: TenureOptions;
  readonly #asked: Set<string>;
  readonly #confirmed: Set<string>;
  #stopped = false;
  #over = false;
  #pending = 0;
  #number = 0;

  constructor(options: TenureOptions) {
    this.#options = options;
    this.log = options.log;
    this.name = options.name;
    const { asked, confirmed } = options.history;
    this.#asked = asked.get(this.log) ?? new Set();
    this.#confirmed = confirmed.get(this.log) ?? new Set();
    asked.set(this.log, this.#asked);
    confirmed.set(this.log, this.#confirmed);
  }

  /** Appends without an answer. */
  get pending(): number {
    return this.#pending;
  }

  /** It noticed that another has the log. */
  get over(): boolean {
    return this.#over;
  }

  stop(): void {
    this.#stopped = true;
  }

  async run(): Promise<void> {
    const { ledger, random, clock, plan } = this.#options;
    const cursor = await ledger.openCursor(CURSOR, { initialPosition: "earliest" });
    const reading = this.#read(cursor);
    while (!this.#stopped && !this.#over) {
      const count = 1 + random.integer(plan.burst);
      for (let i = 0; i < count && this.#pending < PENDING_MAX; i++) this.#append();
      await sleep(clock, random.float() * 2 * plan.pauseMs);
    }
    await reading;
  }

  #append(): void {
    const { history, ledger } = this.#options;
    const text = `${this.name}/${this.#number++}`;
    const append: Append = { log: this.log, tenure: this.name, text, outcome: { kind: "pending" } };
    history.appends.push(append);
    this.#pending++;
    ledger.append(new TextEncoder().encode(text), {
      onAppended: ({ ledgerId, entryId }: Position) => {
        this.#pending--;
        append.outcome = { kind: "stored", place: placeOf({ ledgerId, entryId }), ledgerId, entryId };
      },
      onAppendFailed: (error: ManagedLedgerError) => {
        this.#pending--;
        append.outcome = { kind: "failed" };
        if (OVER.has(error.code)) this.#over = true;
      },
    });
  }

  /** Follows the log by the cursor, acknowledges some of it, and now and then waits until that is stored. */
  async #read(cursor: ManagedCursor): Promise<void> {
    const { clock, random, history } = this.#options;
    while (!this.#stopped && !this.#over) {
      try {
        const entries = cursor.hasMoreEntries() ? await cursor.read(10, 10_000) : [];
        for (const entry of entries) {
          const place = placeOf(entry);
          history.reads.push({ log: this.log, tenure: this.name, place, text: new TextDecoder().decode(entry.data) });
          this.#acknowledge(cursor, entry);
        }
        if (random.float() < 0.05) cursor.rewind();
        if (random.float() < 0.2) await this.#flush(cursor);
      } catch (error) {
        if (OVER.has((error as ManagedLedgerError).code)) return;
        // what cannot be read or stored now is tried again
        cursor.rewind();
      }
      await sleep(clock, random.float() * this.#options.plan.pauseMs);
    }
  }

  #acknowledge(cursor: ManagedCursor, position: Position): void {
    const { random, plan } = this.#options;
    if (random.float() >= plan.ackProbability) return;
    this.#asked.add(placeOf(position));
    cursor.acknowledge(position);
  }

  /** What this owner's cursor has as acknowledged is confirmed once it is stored. */
  async #flush(cursor: ManagedCursor): Promise<void> {
    const before = [...this.#asked].filter((place) => cursor.isAcknowledged(positionOf(place)));
    await cursor.flush();
    for (const place of before) this.#confirmed.add(place);
  }
}

export function positionOf(place: string): Position {
  const [ledgerId, entryId] = place.split(":").map(Number) as [number, number];
  return { ledgerId, entryId };
}
