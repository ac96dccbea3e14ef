import { LevelDigest } from "./level-digest.ts";
import { type MemoryMetadataOptions, MemoryMetadataState } from "./memory-metadata-state.ts";
import { type MemoryMetadata, metadataOver } from "./memory-metadata-store.ts";
import {
  DIGEST_KEY,
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
 * what it did or saw is durable. Nothing is written before all of it was read and found to be whole.
 * @throws MetadataError Unavailable when the level holds something else, Corrupt when not what was stored in it.
 */
export async function openDiskMetadata(options: DiskMetadataOptions): Promise<DiskMetadata> {
  try {
    return await openWhole(options);
  } catch (error) {
    await options.level.close();
    throw error;
  }
}

async function openWhole(options: DiskMetadataOptions): Promise<DiskMetadata> {
  const { level, onFailed = () => undefined } = options;
  await checkFormat(level);
  const digest = new LevelDigest();
  const log = new MetadataChangeLog(level, digest, onFailed);
  const state = new MemoryMetadataState(options, log);
  let epoch = 0;
  for await (const [key, bytes] of level.iterator()) {
    if (key === DIGEST_KEY) continue;
    digest.set(key, bytes);
    const name = key.slice(1);
    if (key === EPOCH_KEY) epoch = decodeNumber(bytes) + 1;
    else if (key.startsWith(VALUE_PREFIX)) state.restore(name, decodeStored(bytes));
    else if (key.startsWith(SEQUENCE_PREFIX)) {
      state.restoreSequence(name, decodeNumber(bytes));
      log.restoreSequence(name, decodeNumber(bytes));
    }
  }
  if (!digest.matches(await level.get(DIGEST_KEY))) {
    throw new MetadataError(
      "Corrupt",
      "metadata is not what was stored: some of it is damaged or gone. Nothing was changed; put a copy of the whole data directory back",
    );
  }
  await beginEpoch(level, digest, epoch);
  const metadata = metadataOver(state, epoch * SESSIONS_PER_EPOCH + 1);
  const close = async (): Promise<void> => {
    await log.close();
    await level.close();
  };
  return Object.assign(metadata, { close });
}

async function checkFormat(level: MetadataLevel): Promise<void> {
  const format = await level.get(FORMAT_KEY);
  if (format === undefined) {
    const [foreign] = await level.keys({ limit: 1 }).all();
    if (foreign !== undefined) throw new MetadataError("Unavailable", "the database holds no metadata of a cluster");
  } else if (new TextDecoder().decode(format) !== FORMAT) {
    throw new MetadataError("Unavailable", `the metadata is of another format: ${new TextDecoder().decode(format)}`);
  }
}

async function beginEpoch(level: MetadataLevel, digest: LevelDigest, epoch: number): Promise<void> {
  const batch = level.batch();
  for (const [key, bytes] of [
    [FORMAT_KEY, new TextEncoder().encode(FORMAT)],
    [EPOCH_KEY, encodeNumber(epoch)],
  ] as const) {
    digest.set(key, bytes);
    batch.put(key, bytes);
  }
  batch.put(DIGEST_KEY, digest.encode());
  await batch.write({ sync: true } as { sync: boolean });
}
