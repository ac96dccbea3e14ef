import { add, entriesOf, StorageFixture } from "./storage-fixture.ts";

export const FIRST_JOURNAL: string = "journal/0000000001.journal";
/** File header, then for each group its own head and the records. */
export const HEADER = 16;
export const HEAD = 52;
/** Of an entry whose text is `1:0` or the like. */
export const RECORD: number = HEAD + 3;

/** Three groups of two entries of a ledger each. */
export async function threeGroups(): Promise<StorageFixture> {
  const fixture = await StorageFixture.open({ journalPreAllocSizeMB: 0.25 });
  for (let ledgerId = 1; ledgerId <= 3; ledgerId++) await add(fixture.storage, entriesOf(ledgerId, 0, 1));
  return fixture;
}

/** Of a journal, less the room that is kept for what comes next. */
export function withoutRoom(bytes: Uint8Array): Uint8Array {
  return bytes.subarray(0, bytes.findLastIndex((byte) => byte !== 0) + 1);
}

export const GROUP: number = HEAD + 2 * RECORD;
export const startOf = (group: number): number => HEADER + group * GROUP;
