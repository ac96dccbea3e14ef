import type { LedgerEntry } from "../../wire/ledger-entry.ts";
import { entryOf, RecordKind } from "../entry-record.ts";
import type { LedgerTable } from "../ledger-table.ts";
import type { LocationIndex } from "../location-index.ts";
import { RecordScanner } from "../record-scanner.ts";
import { ENTRY_LOG_HEADER_BYTES, type EntryLog } from "./entry-log.ts";
import type { EntryLogs } from "./entry-logs.ts";
import type { Run } from "./run.ts";

export interface CompactionOptions {
  logs: EntryLogs;
  index: LocationIndex;
  table: LedgerTable;
}

/** Copied at once, at most. */
const COPY_BYTES_MAX = 8 * 1024 * 1024;

/**
 * Rewrites entry logs of which only a part still lives. For each log: copy, checkpoint (the caller's), switch the index;
 * the log is dead then and goes with the next checkpoint.
 */
export class LogCompaction {
  readonly #options: CompactionOptions;
  #copies: Run[] = [];
  #logs = 0;

  constructor(options: CompactionOptions) {
    this.#options = options;
  }

  /** Logs compacted. */
  get logs(): number {
    return this.#logs;
  }

  candidates(threshold: number): EntryLog[] {
    const { logs } = this.#options;
    return [...logs.all()].filter((log) => {
      if (logs.isCurrent(log) || log.lengthBytes <= ENTRY_LOG_HEADER_BYTES) return false;
      let livingBytes = 0;
      for (const bytes of log.ledgers.values()) livingBytes += bytes;
      return livingBytes < threshold * (log.lengthBytes - ENTRY_LOG_HEADER_BYTES);
    });
  }

  async copy(log: EntryLog): Promise<void> {
    this.#copies = [];
    const scanner = new RecordScanner(log.file, log.mapOffset ?? log.lengthBytes);
    let entries: LedgerEntry[] = [];
    let bytes = 0;
    const flush = async (): Promise<void> => {
      this.#copies.push(...(await this.#options.logs.write(entries)));
      entries = [];
      bytes = 0;
    };
    for (let offset = ENTRY_LOG_HEADER_BYTES; ; ) {
      const scanned = await scanner.at(offset);
      if (scanned.kind === "end") break;
      // what cannot be read cannot be copied, and must not be taken for dead
      if (scanned.kind === "broken") throw new Error(`entry log ${log.logId} cannot be read at ${offset}`);
      offset = scanned.endOffset;
      if (scanned.kind === "damaged") {
        this.#options.table.damage(scanned.head.ledgerId);
        continue;
      }
      if (scanned.head.kind !== RecordKind.Entry || !log.ledgers.has(scanned.head.ledgerId)) continue;
      entries.push(entryOf(scanned.head, scanned.payload));
      bytes += scanned.payload.length;
      if (bytes >= COPY_BYTES_MAX) await flush();
    }
    await flush();
  }

  /** The index names the copies from now on, and the log holds nothing that is needed. */
  async switchIndex(log: EntryLog, sequence: number): Promise<void> {
    const { index, table } = this.#options;
    const old: Run[] = [];
    for (const ledgerId of log.ledgers.keys()) {
      for await (const run of index.runsOf(ledgerId)) if (run.logId === log.logId) old.push(run);
    }
    // a ledger that was deleted meanwhile has no place in the index any more
    const copies = this.#copies.filter((run) => table.get(run.ledgerId) !== undefined);
    await index.write(copies, old, sequence);
    log.ledgers.clear();
    this.#logs++;
  }
}
