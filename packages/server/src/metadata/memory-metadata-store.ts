import type { Clock } from "@pulsewire/runtime";
import { type MemoryMetadataOptions, MemoryMetadataState } from "./memory-metadata-state.ts";
import { MemorySession } from "./memory-session.ts";
import type { MetadataStore } from "./metadata-store.ts";

export interface SessionOptions {
  /** The clock of the node whose session it is; its keep-alives stop when that node does. Default: the store's. */
  clock?: Clock;
}

/** A metadata store held in memory, with a session for each node that uses it. */
export interface MemoryMetadata {
  session(options?: SessionOptions): MetadataStore;
  /** Ends a session as its timeout would: its ephemeral keys vanish and it is told. */
  expire(session: MetadataStore): void;
  /** Cuts a session off: its calls reject with Unavailable, and it expires unless `reconnect` comes in time. */
  disconnect(session: MetadataStore): void;
  reconnect(session: MetadataStore): void;
  /** While false, every call of every session rejects with Unavailable; no session expires. Default true. */
  available: boolean;
}

class MemoryMetadataStore implements MemoryMetadata {
  readonly #state: MemoryMetadataState;
  readonly #sessions = new Map<MetadataStore, MemorySession>();
  #nextSessionId: number;

  constructor(state: MemoryMetadataState, firstSessionId: number) {
    this.#state = state;
    this.#nextSessionId = firstSessionId;
  }

  get available(): boolean {
    return this.#state.available;
  }

  set available(value: boolean) {
    this.#state.available = value;
  }

  session(options: SessionOptions = {}): MetadataStore {
    const session = new MemorySession(this.#state, this.#nextSessionId++, options.clock ?? this.#state.clock);
    this.#sessions.set(session, session);
    session.onEnd(() => this.#sessions.delete(session));
    return session;
  }

  expire(session: MetadataStore): void {
    this.#sessions.get(session)?.expire();
  }

  disconnect(session: MetadataStore): void {
    this.#sessions.get(session)?.setConnected(false);
  }

  reconnect(session: MetadataStore): void {
    this.#sessions.get(session)?.setConnected(true);
  }
}

/** A metadata store in memory, empty. Values that are put must not be changed afterwards. */
export function createMemoryMetadata(options: MemoryMetadataOptions): MemoryMetadata {
  return metadataOver(new MemoryMetadataState(options), 1);
}

/** Sessions over a state, numbered from `firstSessionId` on. */
export function metadataOver(state: MemoryMetadataState, firstSessionId: number): MemoryMetadata {
  return new MemoryMetadataStore(state, firstSessionId);
}
