import { crc32c } from "@pulsewire/protocol";
import type { Disk } from "@pulsewire/runtime";
import { MetadataError } from "./metadata-store.ts";

/** How LevelDB writes its log: blocks of records, none of which reaches beyond its block. */
const BLOCK_BYTES = 32_768;
/** Checksum, length, kind. */
const HEADER_BYTES = 7;
const [FULL, FIRST, LAST] = [1, 2, 4];
const ADVICE = "put a copy of the whole data directory back";
const LOG_NAME = /^\d+\.log$/;
const DATA_NAME = /^\d+\.(log|ldb|sst)$/;
/** Of a LevelDB that was never opened to the end. */
const FIRST_MANIFEST = "MANIFEST-000001";

/**
 * Looks through the logs of a LevelDB that is closed. LevelDB itself leaves out, without a word, what of a log it cannot
 * read, up to the end of a block, and goes on with what is behind: acknowledged changes would be gone, and older values back.
 * A log that ends in something unreadable is sound: a write that did not end, and was acknowledged to nobody.
 * @throws MetadataError Corrupt, with the file and the place.
 */
export async function checkLevelLogs(disk: Disk, folder: string): Promise<void> {
  const names = await disk.list(folder);
  const logs = names.filter((name) => LOG_NAME.test(name));
  const missing = await missingIn(disk, folder, names);
  if (missing !== undefined) {
    throw new MetadataError("Corrupt", `${folder} has lost its ${missing} file. Nothing was changed; ${ADVICE}`);
  }
  for (const name of logs) {
    const path = `${folder}/${name}`;
    const file = await disk.open(path);
    try {
      const damagedAt = damageIn(await file.read(0, file.sizeBytes));
      if (damagedAt === undefined) continue;
      throw new MetadataError(
        "Corrupt",
        `${path} is damaged at byte ${damagedAt}, and changes follow it: they cannot be trusted without what is lost. Nothing was changed; ${ADVICE}`,
      );
    } finally {
      await file.close();
    }
  }
}

/** What LevelDB would begin anew without, and throw the rest away. */
async function missingIn(disk: Disk, folder: string, names: readonly string[]): Promise<string | undefined> {
  if (!names.includes("CURRENT")) return names.some((name) => DATA_NAME.test(name)) ? "CURRENT" : undefined;
  if (names.some((name) => LOG_NAME.test(name))) return undefined;
  // once its first opening is through a LevelDB is never without one, and names another manifest
  return (await textOf(disk, `${folder}/CURRENT`)).trim() === FIRST_MANIFEST ? undefined : ".log";
}

async function textOf(disk: Disk, path: string): Promise<string> {
  const file = await disk.open(path);
  try {
    return new TextDecoder().decode(await file.read(0, file.sizeBytes));
  } finally {
    await file.close();
  }
}

/** Where a log cannot be read though another change begins behind that; undefined where it can be read to its end. */
export function damageIn(bytes: Uint8Array): number | undefined {
  let damagedAt: number | undefined;
  let offset = 0;
  while (offset + HEADER_BYTES <= bytes.length) {
    const blockEnd = Math.min(bytes.length, offset - (offset % BLOCK_BYTES) + BLOCK_BYTES);
    if (blockEnd - offset < HEADER_BYTES) {
      offset = blockEnd;
      continue;
    }
    const record = recordAt(bytes, offset, blockEnd);
    if (record === undefined) {
      damagedAt ??= offset;
      // a length that is wrong says nothing of where the next one begins
      offset++;
      continue;
    }
    // the rest of a change of which the beginning did not reach the disk is no other change
    if (damagedAt !== undefined && (record.kind === FULL || record.kind === FIRST)) return damagedAt;
    offset = record.end;
  }
  return undefined;
}

function recordAt(bytes: Uint8Array, offset: number, blockEnd: number): { kind: number; end: number } | undefined {
  const kind = bytes[offset + 6] as number;
  if (kind < FULL || kind > LAST) return undefined;
  const end = offset + HEADER_BYTES + ((bytes[offset + 4] as number) | ((bytes[offset + 5] as number) << 8));
  if (end > blockEnd) return undefined;
  const view = new DataView(bytes.buffer, bytes.byteOffset + offset);
  return view.getUint32(0, true) === masked(crc32c(bytes, offset + 6, end)) ? { kind, end } : undefined;
}

/** LevelDB stores checksums so, that one of bytes with checksums in them is none of those. */
function masked(crc: number): number {
  return (((crc >>> 15) | (crc << 17)) + 0xa282ead8) >>> 0;
}
