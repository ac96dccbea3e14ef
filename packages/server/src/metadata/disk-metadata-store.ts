import { type MemoryMetadataOptions, MemoryMetadataState } from "./memory-metadata-state.ts";
import { type MemoryMetadata, metadataOver } from "./memory-metadata-store.ts";
import {
  decodeNumber,
  decodeStored,
  encodeNumber,
  MetadataChangeLog,
  type MetadataLevel,
  SEQUENCE_PREFIX,
  VALUE_PREFIX,
} from "./metadata-change-log.ts";
import { MetadataError } from "./metadata-store.ts";

export interface DiskMetadataOptions extends MemoryMetadataOptions {
  /** Open, and the store's own: closed with it. */
  level: MetadataLevel;
  /** Told once, when a write failed: every call rejects with Unavailable from then on. Default: nobody is. */
  onFailed?: (error: unknown) => void;
}

/** A metadata store of which everything but the ephemeral keys outlives the process. */
export interface DiskMetadata extends MemoryMetadata {
  /** Ends when everything is written. Sessions must be closed before. */
  close(): Promise<void>;
}

const FORMAT_KEY = "format";
const FORMAT = "pulsewire-metadata 1";
/** How often the store was opened: it numbers sessions, so that no number comes twice. */
const EPOCH_KEY = "epoch";
const SESSIONS_PER_EPOCH = 2 ** 20;

/**
 * Opens what an earlier process stored: values, versions and sequences. The tree is held in memory; a call answers once
 * what it did or saw is durable.
 * @throws MetadataError Unavailable, when the level holds something else.
 */
export async function openDiskMetadata(options: DiskMetadataOptions): Promise<DiskMetadata> {
  const { level, onFailed = () => undefined } = options;
  const epoch = await beginEpoch(level);
  const log = new MetadataChangeLog(level, onFailed);
  const state = new MemoryMetadataState(options, log);
  for await (const [key, bytes] of level.iterator({ gte: SEQUENCE_PREFIX, lt: after(SEQUENCE_PREFIX) })) {
    state.restoreSequence(key.slice(SEQUENCE_PREFIX.length), decodeNumber(bytes));
    log.restoreSequence(key.slice(SEQUENCE_PREFIX.length), decodeNumber(bytes));
  }
  for await (const [key, bytes] of level.iterator({ gte: VALUE_PREFIX, lt: after(VALUE_PREFIX) })) {
    state.restore(key.slice(VALUE_PREFIX.length), decodeStored(bytes));
  }
  const metadata = metadataOver(state, epoch * SESSIONS_PER_EPOCH + 1);
  const close = async (): Promise<void> => {
    await log.close();
    await level.close();
  };
  return Object.assign(metadata, { close });
}

async function beginEpoch(level: MetadataLevel): Promise<number> {
  const format = await level.get(FORMAT_KEY);
  if (format === undefined) {
    const [foreign] = await level.keys({ limit: 1 }).all();
    if (foreign !== undefined) throw new MetadataError("Unavailable", "the database holds no metadata of a cluster");
  } else if (new TextDecoder().decode(format) !== FORMAT) {
    throw new MetadataError("Unavailable", `the metadata is of another format: ${new TextDecoder().decode(format)}`);
  }
  const before = await level.get(EPOCH_KEY);
  const epoch = before === undefined ? 0 : decodeNumber(before) + 1;
  const batch = level.batch();
  batch.put(FORMAT_KEY, new TextEncoder().encode(FORMAT));
  batch.put(EPOCH_KEY, encodeNumber(epoch));
  await batch.write({ sync: true } as { sync: boolean });
  return epoch;
}

/** The first text behind all that begin with a prefix. */
function after(prefix: string): string {
  return String.fromCharCode(prefix.charCodeAt(0) + 1);
}
