import type { Clock } from "@pulsewire/runtime";
import { KeyTree, type StoredValue } from "./key-tree.ts";
import {
  MetadataError,
  type MetadataEvent,
  type MetadataStat,
  type MetadataValue,
  type PutOptions,
} from "./metadata-store.ts";
import { type ChangeType, WatchHub } from "./watch-hub.ts";

export interface MemoryMetadataOptions {
  clock: Clock;
  /** How long a session lives without a keep-alive. Default 30,000 ms. */
  sessionTimeoutMs?: number;
}

/**
 * Where changes are made durable. A change is noted as it happens; whoever made it or sees it waits until it is settled.
 */
export interface ChangeLog {
  /** Nothing can be made durable any more: the store answers Unavailable from now on. */
  readonly failed: boolean;
  /** A key has another value, or none. `tell` is called once that is as durable as it will be. */
  changed(key: string, before: StoredValue | undefined, after: StoredValue | undefined, tell: () => void): void;
  /** Numbers below `next` were given. */
  numbered(key: string, next: number): void;
  /** Resolves when the last change of a key (of every key below it, and of its numbers) is durable; undefined if it is. */
  settled(key: string, below: boolean): Promise<void> | undefined;
}

/** What sessions share: the tree, the sequences, the watches. Changes happen at once, in the order of the calls. */
export class MemoryMetadataState {
  readonly clock: Clock;
  readonly sessionTimeoutMs: number;
  readonly watches: WatchHub = new WatchHub();
  readonly #tree = new KeyTree();
  readonly #sequences = new Map<string, number>();
  readonly #owned = new Map<number, Set<string>>();
  readonly #log: ChangeLog | undefined;
  #available = true;

  /** @param log Default: changes last as long as the process. */
  constructor(options: MemoryMetadataOptions, log?: ChangeLog) {
    this.#log = log;
    this.clock = options.clock;
    this.sessionTimeoutMs = options.sessionTimeoutMs ?? 30_000;
  }

  get available(): boolean {
    return this.#available && this.#log?.failed !== true;
  }

  set available(value: boolean) {
    this.#available = value;
  }

  /** Puts back what an earlier process stored. */
  restore(key: string, stored: StoredValue): void {
    this.#tree.set(key, stored);
  }

  restoreSequence(key: string, next: number): void {
    this.#sequences.set(key, next);
  }

  /** Undefined when what a call sees or did is durable already. @param below The keys below count too. */
  settled(key: string, below = false): Promise<void> | undefined {
    return this.#log?.settled(key, below);
  }

  get(key: string): MetadataValue | undefined {
    const stored = this.#tree.get(key);
    return stored && { value: stored.value, stat: stored.stat };
  }

  children(key: string): string[] {
    return this.#tree.children(key);
  }

  put(owner: number, wanted: string, value: Uint8Array, options: PutOptions): { key: string; stat: MetadataStat } {
    const key = options.sequential ? `${wanted}${String(this.nextSequence(wanted)).padStart(10, "0")}` : wanted;
    const before = this.#tree.get(key);
    const expected = options.expectedVersion;
    if (expected !== undefined && expected !== (before?.stat.version ?? -1)) {
      throw new MetadataError("BadVersion", `${key} is at version ${before?.stat.version ?? -1}, expected ${expected}`);
    }
    const nowMs = this.clock.now();
    const keyOwner = options.ephemeral ? owner : before?.owner;
    const stat: MetadataStat = {
      version: (before?.stat.version ?? -1) + 1,
      createdMs: before?.stat.createdMs ?? nowMs,
      modifiedMs: nowMs,
      ephemeral: keyOwner !== undefined,
    };
    if (before?.owner !== undefined) this.#owned.get(before.owner)?.delete(key);
    if (keyOwner !== undefined) this.#ownedBy(keyOwner).add(key);
    const stored = { value, stat, owner: keyOwner };
    this.#tree.set(key, stored);
    this.#changed(before === undefined ? "created" : "modified", key, before, stored);
    return { key, stat };
  }

  delete(key: string, expectedVersion: number | undefined): void {
    const before = this.#tree.get(key);
    if (before === undefined) throw new MetadataError("NotFound", `there is no ${key}`);
    if (expectedVersion !== undefined && expectedVersion !== before.stat.version) {
      throw new MetadataError("BadVersion", `${key} is at version ${before.stat.version}, expected ${expectedVersion}`);
    }
    if (before.owner !== undefined) this.#owned.get(before.owner)?.delete(key);
    this.#tree.delete(key);
    this.#changed("deleted", key, before, undefined);
  }

  nextSequence(key: string): number {
    const next = this.#sequences.get(key) ?? 0;
    this.#sequences.set(key, next + 1);
    this.#log?.numbered(key, next + 1);
    return next;
  }

  dropEphemeral(owner: number): void {
    const keys = this.#owned.get(owner);
    this.#owned.delete(owner);
    for (const key of keys ?? []) {
      const before = this.#tree.get(key);
      this.#tree.delete(key);
      this.#changed("deleted", key, before, undefined);
    }
  }

  watch(prefix: string, listener: (event: MetadataEvent) => void): Disposable {
    return this.watches.watch(prefix, listener);
  }

  #changed(type: ChangeType, key: string, before: StoredValue | undefined, after: StoredValue | undefined): void {
    if (this.#log === undefined) this.watches.changed(type, key);
    else this.#log.changed(key, before, after, () => this.watches.changed(type, key));
  }

  #ownedBy(owner: number): Set<string> {
    let keys = this.#owned.get(owner);
    if (keys === undefined) {
      keys = new Set();
      this.#owned.set(owner, keys);
    }
    return keys;
  }
}
