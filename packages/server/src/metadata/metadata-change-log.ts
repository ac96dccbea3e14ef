import { deferred } from "@pulsewire/runtime";
import type { AbstractLevel } from "abstract-level";
import type { StoredValue } from "./key-tree.ts";
import type { LevelDigest } from "./level-digest.ts";
import type { ChangeLog } from "./memory-metadata-state.ts";
import { MetadataError } from "./metadata-store.ts";

/** An ordered store of texts and bytes with batches that are atomic and, with `sync`, durable. */
export type MetadataLevel = AbstractLevel<string | Uint8Array, string, Uint8Array>;

export const VALUE_PREFIX = "v";
export const SEQUENCE_PREFIX = "s";
/** Where the checksum over all the rest is. */
export const DIGEST_KEY = "digest";

/** Numbers of a sequence are made durable so many at a time; a restart leaves out what was not given of them. */
const SEQUENCE_BLOCK = 100;

const STAT_BYTES = 24;

export function encodeStored({ value, stat }: StoredValue): Uint8Array {
  const bytes = new Uint8Array(STAT_BYTES + value.length);
  const view = new DataView(bytes.buffer);
  view.setFloat64(0, stat.version);
  view.setFloat64(8, stat.createdMs);
  view.setFloat64(16, stat.modifiedMs);
  bytes.set(value, STAT_BYTES);
  return bytes;
}

export function decodeStored(bytes: Uint8Array): StoredValue {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const [version, createdMs, modifiedMs] = [view.getFloat64(0), view.getFloat64(8), view.getFloat64(16)];
  const stat = { version, createdMs, modifiedMs, ephemeral: false };
  return { value: bytes.slice(STAT_BYTES), stat, owner: undefined };
}

export function encodeNumber(value: number): Uint8Array {
  const bytes = new Uint8Array(8);
  new DataView(bytes.buffer).setFloat64(0, value);
  return bytes;
}

export function decodeNumber(bytes: Uint8Array): number {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength).getFloat64(0);
}

/** Changes that are written together. */
interface Group {
  /** By key of the store; undefined removes. */
  readonly writes: Map<string, Uint8Array | undefined>;
  readonly told: (() => void)[];
  readonly done: Promise<void>;
  resolve(): void;
  reject(error: unknown): void;
}

function newGroup(): Group {
  const { promise, resolve, reject } = deferred<void>();
  // who waits is told by a promise of its own; without anybody, the failed state says it
  promise.catch(() => undefined);
  return { writes: new Map(), told: [], done: promise, resolve: () => resolve(undefined), reject };
}

/**
 * Writes changes in the order they happen, those that come during a write together with one sync. Ephemeral keys are not
 * written: they end with their session, and with the process. After a write that failed there is no other: what is in
 * memory is ahead of the disk.
 */
export class MetadataChangeLog implements ChangeLog {
  readonly #level: MetadataLevel;
  readonly #digest: LevelDigest;
  readonly #onFailed: (error: unknown) => void;
  readonly #reserved = new Map<string, number>();
  #building: Group | undefined;
  #writing: Group | undefined;
  #busy = false;
  #failure: unknown;

  /** @param digest Of what the level holds, once it was read. */
  constructor(level: MetadataLevel, digest: LevelDigest, onFailed: (error: unknown) => void) {
    this.#level = level;
    this.#digest = digest;
    this.#onFailed = onFailed;
  }

  get failed(): boolean {
    return this.#failure !== undefined;
  }

  restoreSequence(key: string, reserved: number): void {
    this.#reserved.set(key, reserved);
  }

  changed(key: string, before: StoredValue | undefined, after: StoredValue | undefined, tell: () => void): void {
    // what is neither on the disk nor on its way there or off it needs no write
    if (!lasting(before) && !lasting(after) && this.settled(key, false) === undefined) tell();
    else this.#note(VALUE_PREFIX + key, lasting(after) ? encodeStored(after) : undefined, tell);
  }

  numbered(key: string, next: number): void {
    if (next <= (this.#reserved.get(key) ?? 0)) return;
    const reserved = next - 1 + SEQUENCE_BLOCK;
    this.#reserved.set(key, reserved);
    this.#note(SEQUENCE_PREFIX + key, encodeNumber(reserved));
  }

  settled(key: string, below: boolean): Promise<void> | undefined {
    for (const group of [this.#building, this.#writing]) {
      if (group !== undefined && touches(group, key, below)) return group.done;
    }
    return undefined;
  }

  /** Done when everything up to now is written. */
  async close(): Promise<void> {
    while (this.#building !== undefined || this.#writing !== undefined) {
      await (this.#building ?? this.#writing)?.done.catch(() => undefined);
    }
  }

  #note(key: string, value: Uint8Array | undefined, tell?: () => void): void {
    if (this.failed) return;
    this.#building ??= newGroup();
    this.#building.writes.set(key, value);
    if (tell !== undefined) this.#building.told.push(tell);
    if (this.#busy) return;
    this.#busy = true;
    this.#writeGroups().catch((error: unknown) => this.#fail(error));
  }

  async #writeGroups(): Promise<void> {
    // what else changes in this turn comes along
    await undefined;
    for (let group = this.#building; group !== undefined; group = this.#building) {
      this.#writing = group;
      this.#building = undefined;
      const batch = this.#level.batch();
      for (const [key, value] of group.writes) {
        this.#digest.set(key, value);
        if (value === undefined) batch.del(key);
        else batch.put(key, value);
      }
      batch.put(DIGEST_KEY, this.#digest.encode());
      await batch.write(SYNC);
      for (const tell of group.told) tell();
      group.resolve();
    }
    this.#writing = undefined;
    this.#busy = false;
  }

  #fail(error: unknown): void {
    this.#failure = error ?? new Error("unknown");
    const told = new MetadataError("Unavailable", "the metadata could not be written", { cause: error });
    for (const group of [this.#writing, this.#building]) group?.reject(told);
    this.#writing = undefined;
    this.#building = undefined;
    this.#onFailed(error);
  }
}

/** Known to LevelDB, and passed over where there is nothing to sync. */
const SYNC: { sync: boolean } = { sync: true };

function lasting(stored: StoredValue | undefined): stored is StoredValue {
  return stored !== undefined && !stored.stat.ephemeral;
}

function touches({ writes }: Group, key: string, below: boolean): boolean {
  if (writes.has(VALUE_PREFIX + key) || writes.has(SEQUENCE_PREFIX + key)) return true;
  if (!below) return false;
  const prefix = VALUE_PREFIX + (key.endsWith("/") ? key : `${key}/`);
  for (const written of writes.keys()) if (written.startsWith(prefix)) return true;
  return false;
}
