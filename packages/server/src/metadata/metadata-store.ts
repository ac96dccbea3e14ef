/** What a stored value knows of itself. */
export interface MetadataStat {
  /** 0 at creation, one more at each put. */
  version: number;
  createdMs: number;
  modifiedMs: number;
  ephemeral: boolean;
}

export interface MetadataValue {
  value: Uint8Array;
  stat: MetadataStat;
}

export interface PutOptions {
  /** CAS: put only at this version; -1 only when the key is absent. Default: whatever is there. */
  expectedVersion?: number;
  /** The key belongs to this session and vanishes with it. Default false. */
  ephemeral?: boolean;
  /** A number that only grows is appended to the key. Default false. */
  sequential?: boolean;
}

/** `Corrupt` is told only where a store is opened. */
export type MetadataErrorCode = "BadVersion" | "NotFound" | "SessionExpired" | "Unavailable" | "Corrupt";

export class MetadataError extends Error {
  readonly code: MetadataErrorCode;
  constructor(code: MetadataErrorCode, detail: string, options?: ErrorOptions) {
    super(`${code}: ${detail}`, options);
    this.name = "MetadataError";
    this.code = code;
  }
}

export interface MetadataEvent {
  type: "created" | "modified" | "deleted" | "childrenChanged";
  key: string;
}

/**
 * A versioned tree of keys (`/a/b/c`) as one session sees it. Ephemeral keys belong to the session and vanish when it
 * expires or closes. Every method rejects with a MetadataError.
 */
export interface MetadataStore {
  readonly sessionId: number;
  get(key: string): Promise<MetadataValue | undefined>;
  exists(key: string): Promise<boolean>;
  /** Answers the key (it differs when sequential) and its new stat. BadVersion when the CAS fails. */
  put(key: string, value: Uint8Array, options?: PutOptions): Promise<{ key: string; stat: MetadataStat }>;
  /** NotFound when absent, BadVersion when the CAS fails. */
  delete(key: string, expectedVersion?: number): Promise<void>;
  /** The names directly below a key, sorted; none when it is absent. */
  children(key: string): Promise<string[]>;
  /** A number never answered before for this key. Starts at 0. */
  nextSequence(key: string): Promise<number>;
  /** Told of every change below a prefix, after the change; order per key is kept. */
  watch(prefix: string, listener: (event: MetadataEvent) => void): Disposable;
  /** Told once, when the session is gone. */
  onSessionExpired(listener: () => void): Disposable;
  /** Ends the session; its ephemeral keys vanish. */
  close(): Promise<void>;
}
