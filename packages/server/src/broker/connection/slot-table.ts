import { ServerError } from "@pulsewire/protocol";
import { BrokerError } from "../broker-error.ts";

/** How long ids that the broker closed are remembered, in ms, and how many. */
const REMEMBER_MS = 60_000;
const REMEMBERED_MAX = 10_000;

/**
 * One id's place: `opening → open`, and from both out of the table. While it opens, a close takes it out; whoever
 * opens finds that it is out and lets go what it got.
 */
export type Slot<T> = { kind: "opening"; id: number; closedBy: "client" | "broker" | undefined } | OpenSlot<T>;

export interface OpenSlot<T> {
  kind: "open";
  id: number;
  value: T;
}

export type OpeningSlot = Extract<Slot<never>, { kind: "opening" }>;

/** Producers or consumers of one connection, by the id the client gave them. */
export class SlotTable<T> {
  readonly #what: string;
  readonly #max: number;
  readonly #slots = new Map<number, Slot<T>>();
  readonly #closedByBroker = new Map<number, number>();

  constructor(what: string, max: number) {
    this.#what = what;
    this.#max = max;
  }

  get size(): number {
    return this.#slots.size;
  }

  /** What is open under an id. */
  get(id: number): T | undefined {
    const slot = this.#slots.get(id);
    return slot?.kind === "open" ? slot.value : undefined;
  }

  *open(): Generator<T> {
    for (const slot of this.#slots.values()) if (slot.kind === "open") yield slot.value;
  }

  /** Takes an id to open. ServiceNotReady while it is being opened already, NotAllowedError above the limit. */
  reserve(id: number): OpeningSlot {
    if (this.#slots.has(id)) {
      throw new BrokerError(ServerError.ServiceNotReady, `${this.#what} is already present on the connection`);
    }
    if (this.#slots.size >= this.#max) {
      throw new BrokerError(ServerError.NotAllowedError, `${this.#what}: at most ${this.#max} on one connection`);
    }
    this.#closedByBroker.delete(id);
    const slot: OpeningSlot = { kind: "opening", id, closedBy: undefined };
    this.#slots.set(id, slot);
    return slot;
  }

  /** Opens a reserved id; false when it was closed meanwhile. */
  complete(opening: OpeningSlot, value: T): boolean {
    if (this.#slots.get(opening.id) !== opening) return false;
    this.#slots.set(opening.id, { kind: "open", id: opening.id, value });
    return true;
  }

  /** Gives a reserved id back after a failure. */
  release(opening: OpeningSlot): void {
    if (this.#slots.get(opening.id) === opening) this.#slots.delete(opening.id);
  }

  /** Takes an id out on the client's word; answers what was open. */
  remove(id: number): T | undefined {
    return this.#take(id, "client");
  }

  /** Takes an id out on the broker's own account; what the client still sends for it is passed over. */
  removeByBroker(id: number, nowMs: number): T | undefined {
    this.#forgetOld(nowMs);
    if (this.#slots.has(id)) this.#closedByBroker.set(id, nowMs);
    return this.#take(id, "broker");
  }

  wasClosedByBroker(id: number): boolean {
    return this.#closedByBroker.has(id);
  }

  /** Empties the table; answers what was open. */
  clear(): T[] {
    const open = [...this.open()];
    for (const slot of this.#slots.values()) if (slot.kind === "opening") slot.closedBy = "client";
    this.#slots.clear();
    return open;
  }

  #take(id: number, by: "client" | "broker"): T | undefined {
    const slot = this.#slots.get(id);
    this.#slots.delete(id);
    if (slot?.kind === "open") return slot.value;
    if (slot !== undefined) slot.closedBy = by;
    return undefined;
  }

  #forgetOld(nowMs: number): void {
    for (const [id, closedMs] of this.#closedByBroker) {
      if (nowMs - closedMs < REMEMBER_MS && this.#closedByBroker.size < REMEMBERED_MAX) return;
      this.#closedByBroker.delete(id);
    }
  }
}
