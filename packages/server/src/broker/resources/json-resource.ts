import { MetadataError, type MetadataEvent, type MetadataStore } from "../../metadata/metadata-store.ts";
import { ResourceError } from "./resource-error.ts";

const UPDATE_ATTEMPTS_MAX = 20;
const encoder = new TextEncoder();
const decoder = new TextDecoder();

/**
 * JSON values below one prefix of the metadata store. A change is read, made and written by CAS, so that two brokers
 * cannot undo each other's.
 */
export class JsonResource<T> {
  readonly #store: MetadataStore;

  constructor(store: MetadataStore) {
    this.#store = store;
  }

  /** Undefined when absent. Rejects with a ResourceError: Invalid when what is stored is not JSON. */
  async get(key: string): Promise<T | undefined> {
    return (await this.#read(key))?.value;
  }

  async exists(key: string): Promise<boolean> {
    return guard(() => this.#store.exists(key));
  }

  /** AlreadyExists when present. */
  async create(key: string, value: T): Promise<void> {
    try {
      await guard(() => this.#store.put(key, encode(value), { expectedVersion: -1 }));
    } catch (error) {
      if (error instanceof ResourceError && error.code === "Conflict") {
        throw new ResourceError("AlreadyExists", key, { cause: error });
      }
      throw error;
    }
  }

  async put(key: string, value: T): Promise<void> {
    await guard(() => this.#store.put(key, encode(value)));
  }

  /**
   * Changes a value; `change` may run more than once. NotFound when absent and `initial` is not given.
   * Answers the new value.
   */
  async update(key: string, change: (value: T) => T, initial?: T): Promise<T> {
    for (let attempt = 0; attempt < UPDATE_ATTEMPTS_MAX; attempt++) {
      const before = await this.#read(key);
      if (before === undefined && initial === undefined) throw new ResourceError("NotFound", key);
      const after = change(before?.value ?? (initial as T));
      try {
        const expectedVersion = before?.version ?? -1;
        await guard(() => this.#store.put(key, encode(after), { expectedVersion }));
        return after;
      } catch (error) {
        if (!(error instanceof ResourceError) || error.code !== "Conflict") throw error;
      }
    }
    throw new ResourceError("Conflict", `${key} changed ${UPDATE_ATTEMPTS_MAX} times while it was being changed`);
  }

  /** NotFound when absent. */
  async delete(key: string): Promise<void> {
    await guard(() => this.#store.delete(key));
  }

  /** Names directly below, sorted. */
  async children(key: string): Promise<string[]> {
    return guard(() => this.#store.children(key));
  }

  /** Told of creations, changes and deletions of keys below a prefix. */
  watch(prefix: string, listener: (event: MetadataEvent) => void): Disposable {
    return this.#store.watch(prefix, (event) => {
      if (event.type !== "childrenChanged") listener(event);
    });
  }

  async #read(key: string): Promise<{ value: T; version: number } | undefined> {
    const found = await guard(() => this.#store.get(key));
    if (found === undefined || found.value.length === 0) return undefined;
    try {
      return { value: JSON.parse(decoder.decode(found.value)) as T, version: found.stat.version };
    } catch (error) {
      throw new ResourceError("Invalid", `${key} does not hold JSON`, { cause: error });
    }
  }
}

function encode(value: unknown): Uint8Array {
  return encoder.encode(JSON.stringify(value));
}

async function guard<R>(work: () => Promise<R>): Promise<R> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof MetadataError)) throw error;
    const code = error.code === "NotFound" ? "NotFound" : error.code === "BadVersion" ? "Conflict" : "Unavailable";
    throw new ResourceError(code, error.message, { cause: error });
  }
}
