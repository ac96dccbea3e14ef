import type { NodeId } from "@pulsewire/runtime";
import { MetadataError, type MetadataStore } from "../../metadata/metadata-store.ts";

const ROOT = "/ledgers/underreplication";
const LEDGERS_KEY = `${ROOT}/ledgers`;
const LOCKS_KEY = `${ROOT}/locks`;
const DISABLED_KEY = `${ROOT}/disable`;
/** Who holds it is the Auditor. */
export const AUDITOR_KEY: string = `${ROOT}/auditorelection`;

/** A ledger that lacks copies. */
export interface UnderReplicatedLedger {
  readonly ledgerId: number;
  /** The bookies whose copies are missing. */
  readonly missingReplicas: readonly NodeId[];
  /** The bookies whose copies are to stand elsewhere, since they leave. */
  readonly leavingReplicas: readonly NodeId[];
  readonly version: number;
}

interface StoredMark {
  missingReplicas: NodeId[];
  leavingReplicas: NodeId[];
}

const fromUtf8 = new TextDecoder();
const utf8 = new TextEncoder();
const NO_BYTES = new Uint8Array(0);

/** Ledgers that lack copies, and who makes them, in the metadata store. Rejects with a MetadataError. */
export class UnderReplication {
  readonly #metadata: MetadataStore;

  constructor(metadata: MetadataStore) {
    this.#metadata = metadata;
  }

  /** Notes that a ledger lacks copies. False when that is noted already. */
  async mark(ledgerId: number, missing: Iterable<NodeId>, leaving: Iterable<NodeId> = []): Promise<boolean> {
    for (;;) {
      const known = await this.read(ledgerId);
      const missingReplicas = union(known?.missingReplicas, missing);
      const leavingReplicas = union(known?.leavingReplicas, leaving);
      const size = (known?.missingReplicas.length ?? 0) + (known?.leavingReplicas.length ?? 0);
      if (missingReplicas.length + leavingReplicas.length === size) return false;
      const mark: StoredMark = { missingReplicas, leavingReplicas };
      const put = { expectedVersion: known?.version ?? -1 };
      try {
        await this.#metadata.put(keyOf(LEDGERS_KEY, ledgerId), utf8.encode(JSON.stringify(mark)), put);
        return true;
      } catch (error) {
        if (!isRace(error)) throw error;
      }
    }
  }

  async read(ledgerId: number): Promise<UnderReplicatedLedger | undefined> {
    const found = await this.#metadata.get(keyOf(LEDGERS_KEY, ledgerId));
    if (found === undefined) return undefined;
    const mark = JSON.parse(fromUtf8.decode(found.value)) as StoredMark;
    return { ledgerId, ...mark, version: found.stat.version };
  }

  /** The ids of the ledgers that lack copies, rising. */
  async list(): Promise<number[]> {
    return (await this.#metadata.children(LEDGERS_KEY)).map(idOf);
  }

  /** The ids of those that somebody works on. */
  async locked(): Promise<Set<number>> {
    return new Set((await this.#metadata.children(LOCKS_KEY)).map(idOf));
  }

  /** Nothing is missing any more. False when something was noted since it was read. */
  async clear({ ledgerId, version }: UnderReplicatedLedger): Promise<boolean> {
    try {
      await this.#metadata.delete(keyOf(LEDGERS_KEY, ledgerId), version);
      return true;
    } catch (error) {
      if (error instanceof MetadataError && error.code === "NotFound") return true;
      if (isRace(error)) return false;
      throw error;
    }
  }

  /**
   * Makes a ledger this session's to work on, as long as it lasts. False when it is another's. When this rejects, the
   * ledger may be this session's all the same: `unlock` it before it is tried again.
   */
  async lock(ledgerId: number): Promise<boolean> {
    try {
      const put = { expectedVersion: -1, ephemeral: true };
      await this.#metadata.put(keyOf(LOCKS_KEY, ledgerId), this.#session(), put);
      return true;
    } catch (error) {
      if (isRace(error)) return false;
      throw error;
    }
  }

  /** Nothing happens where the ledger is not this session's. */
  async unlock(ledgerId: number): Promise<void> {
    const key = keyOf(LOCKS_KEY, ledgerId);
    const found = await this.#metadata.get(key);
    if (found === undefined || fromUtf8.decode(found.value) !== fromUtf8.decode(this.#session())) return;
    try {
      await this.#metadata.delete(key, found.stat.version);
    } catch (error) {
      if (!isRace(error)) throw error;
    }
  }

  /** Whether lost copies are made again. */
  async enabled(): Promise<boolean> {
    return !(await this.#metadata.exists(DISABLED_KEY));
  }

  async setEnabled(enabled: boolean): Promise<void> {
    if (!enabled) await this.#metadata.put(DISABLED_KEY, NO_BYTES);
    else if (!(await this.enabled())) await this.#metadata.delete(DISABLED_KEY);
  }

  #session(): Uint8Array {
    return utf8.encode(String(this.#metadata.sessionId));
  }

  /** Told when there may be something to do. */
  onWork(listener: () => void): Disposable {
    return this.#metadata.watch(ROOT, ({ type, key }) => {
      const marked = type !== "deleted" && type !== "childrenChanged" && key.startsWith(LEDGERS_KEY);
      const released = type === "deleted" && (key.startsWith(LOCKS_KEY) || key === DISABLED_KEY);
      if (marked || released) listener();
    });
  }
}

function keyOf(folder: string, ledgerId: number): string {
  return `${folder}/urL${String(ledgerId).padStart(10, "0")}`;
}

function idOf(name: string): number {
  return Number(name.slice(3));
}

function union(known: readonly NodeId[] = [], more: Iterable<NodeId>): NodeId[] {
  return [...new Set([...known, ...more])].sort();
}

/** Somebody else was faster: look again. */
function isRace(error: unknown): boolean {
  return error instanceof MetadataError && (error.code === "BadVersion" || error.code === "NotFound");
}
