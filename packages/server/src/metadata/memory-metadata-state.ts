import type { Clock } from "@pulsewire/runtime";
import { KeyTree } from "./key-tree.ts";
import {
  MetadataError,
  type MetadataEvent,
  type MetadataStat,
  type MetadataValue,
  type PutOptions,
} from "./metadata-store.ts";
import { WatchHub } from "./watch-hub.ts";

export interface MemoryMetadataOptions {
  clock: Clock;
  /** How long a session lives without a keep-alive. Default 30,000 ms. */
  sessionTimeoutMs?: number;
}

/** What sessions share: the tree, the sequences, the watches. Changes happen at once, in the order of the calls. */
export class MemoryMetadataState {
  readonly clock: Clock;
  readonly sessionTimeoutMs: number;
  readonly watches: WatchHub = new WatchHub();
  available = true;
  readonly #tree = new KeyTree();
  readonly #sequences = new Map<string, number>();
  readonly #owned = new Map<number, Set<string>>();

  constructor(options: MemoryMetadataOptions) {
    this.clock = options.clock;
    this.sessionTimeoutMs = options.sessionTimeoutMs ?? 30_000;
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
    this.#tree.set(key, { value, stat, owner: keyOwner });
    this.watches.changed(before === undefined ? "created" : "modified", key);
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
    this.watches.changed("deleted", key);
  }

  nextSequence(key: string): number {
    const next = this.#sequences.get(key) ?? 0;
    this.#sequences.set(key, next + 1);
    return next;
  }

  dropEphemeral(owner: number): void {
    const keys = this.#owned.get(owner);
    this.#owned.delete(owner);
    for (const key of keys ?? []) {
      this.#tree.delete(key);
      this.watches.changed("deleted", key);
    }
  }

  watch(prefix: string, listener: (event: MetadataEvent) => void): Disposable {
    return this.watches.watch(prefix, listener);
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
