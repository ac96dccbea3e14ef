import type { LedgerList } from "../ledger-list.ts";
import type { AcknowledgeOutcome, AckSet, PositionRange } from "../managed-ledger.ts";
import { comparePositions, type Position } from "../position.ts";
import { AckedEntries } from "./acked-entries.ts";
import type { CursorRecord } from "./cursor-record.ts";
import { PartialAcks } from "./partial-acks.ts";

const NOTHING: AcknowledgeOutcome = Object.freeze({ completed: false, messages: 0 });

/** What one subscription has acknowledged: everything up to `markDeleted`, and above it entries and parts of batches. */
export class AckState {
  readonly #list: LedgerList;
  readonly #acked = new AckedEntries();
  readonly #partial = new PartialAcks();
  #markDeleted: Position;

  constructor(list: LedgerList, markDeleted: Position) {
    this.#list = list;
    this.#markDeleted = markDeleted;
  }

  get markDeleted(): Position {
    return this.#markDeleted;
  }

  /** Entries acknowledged above `markDeleted`. */
  get ackedAbove(): number {
    return this.#acked.count;
  }

  get ranges(): PositionRange[] {
    return this.#acked.ranges();
  }

  has(ledgerId: number, entryId: number): boolean {
    const mark = this.#markDeleted;
    if (ledgerId < mark.ledgerId || (ledgerId === mark.ledgerId && entryId <= mark.entryId)) return true;
    return this.#acked.has(ledgerId, entryId);
  }

  /** The first entry id of a ledger at or after one that is not acknowledged. */
  nextUnacked(ledgerId: number, entryId: number): number {
    const mark = this.#markDeleted;
    const from = ledgerId === mark.ledgerId && entryId <= mark.entryId ? mark.entryId + 1 : entryId;
    return this.#acked.nextAbsent(ledgerId, from);
  }

  ackSetOf(position: Position): AckSet | undefined {
    return this.#partial.get(position);
  }

  acknowledge(position: Position, ackSet?: AckSet, batchSize?: number): AcknowledgeOutcome {
    const { ledgerId, entryId } = position;
    if (this.has(ledgerId, entryId) || !this.#list.has(position)) return NOTHING;
    let messages = this.#partial.left(position) ?? batchSize ?? 1;
    if (ackSet !== undefined && ackSet.length > 0) {
      const outcome = this.#partial.acknowledge(position, ackSet, batchSize);
      if (outcome.left > 0) return { completed: false, messages: outcome.messages };
      messages = outcome.messages;
    } else this.#partial.delete(position);
    this.#complete(ledgerId, entryId);
    return { completed: true, messages };
  }

  /** Acknowledges everything up to and including a position; with an ack set, the entry itself only in part. */
  acknowledgeUpTo(position: Position, ackSet?: AckSet, batchSize?: number): void {
    const target = this.#clamp(position);
    if (ackSet === undefined || ackSet.length === 0) {
      this.#moveTo(target);
      return;
    }
    this.#moveTo(this.#list.previous(target));
    this.acknowledge(target, ackSet, batchSize);
  }

  /** Stands at a position and forgets everything above it. */
  reset(markDeleted: Position): void {
    this.#markDeleted = markDeleted;
    this.#acked.clear();
    this.#partial.clear();
  }

  /** The place itself may be in a ledger that is gone. */
  leaveDeletedLedgers(): void {
    const first = this.#list.slots[0];
    if (first === undefined || this.#markDeleted.ledgerId >= first.ledgerId) return;
    this.#moveTo({ ledgerId: first.ledgerId, entryId: -1 });
  }

  record(runsMax: number): Pick<CursorRecord, "markDeleted" | "acked" | "partial"> {
    const acked = this.#acked.runs(runsMax);
    return { markDeleted: this.#markDeleted, acked, partial: this.#partial.records(runsMax) };
  }

  restore({ acked, partial }: Pick<CursorRecord, "acked" | "partial">): void {
    for (const { ledgerId, runs } of acked) {
      for (let i = 0; i < runs.length; i += 2) this.#acked.addRun(ledgerId, runs[i] as number, runs[i + 1] as number);
    }
    for (const record of partial) this.#partial.restore(record);
    this.#acked.dropUpTo(this.#markDeleted);
    this.#partial.dropUpTo(this.#markDeleted);
    this.#absorb();
  }

  #complete(ledgerId: number, entryId: number): void {
    const mark = this.#markDeleted;
    if (this.#acked.count === 0 && mark.ledgerId === ledgerId && mark.entryId + 1 === entryId) {
      this.#markDeleted = { ledgerId, entryId };
      return;
    }
    this.#acked.add(ledgerId, entryId);
    const next = this.#list.next(mark);
    if (next.ledgerId === ledgerId && next.entryId === entryId) this.#absorb();
  }

  #moveTo(position: Position): void {
    if (comparePositions(position, this.#markDeleted) <= 0) return;
    this.#markDeleted = position;
    this.#acked.dropUpTo(position);
    this.#partial.dropUpTo(position);
    this.#absorb();
  }

  /** Moves over what is acknowledged right above. */
  #absorb(): void {
    let moved = false;
    while (this.#acked.count > 0) {
      const { ledgerId, entryId } = this.#list.next(this.#markDeleted);
      const end = this.#acked.nextAbsent(ledgerId, entryId);
      if (end === entryId) break;
      this.#markDeleted = { ledgerId, entryId: end - 1 };
      this.#acked.dropUpTo(this.#markDeleted);
      moved = true;
    }
    if (moved) this.#partial.dropUpTo(this.#markDeleted);
  }

  #clamp(position: Position): Position {
    const last = this.#list.lastEntry();
    if (comparePositions(position, last) > 0) return last;
    const slot = this.#list.get(position.ledgerId);
    if (slot === undefined || position.entryId < slot.entries) return position;
    return { ledgerId: slot.ledgerId, entryId: slot.entries - 1 };
  }
}
