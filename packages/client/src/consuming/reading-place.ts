import type { MessageIdData } from "@pulsewire/protocol";
import type { Message } from "../message.ts";
import { MessageId } from "../message-id.ts";
import { isBeforeStart, isBehindStart, type StartPosition, startIdData } from "./start-position.ts";

/**
 * Whether the broker keeps a reader at the time it is to start from. A subscription that is not durable is gone with its
 * connection, and made anew at an id only: then it is moved to the time once more. `moved`: the broker is about to
 * detach the reader because of that, and keeps the subscription. `kept`: it was detached, and the subscription is taken for
 * kept, until the first message shows it. For both look the same: SEEK is answered, CLOSE_CONSUMER comes because of it; SEEK is
 * answered, CLOSE_CONSUMER comes since the topic moves to another broker, which makes the subscription anew at its beginning.
 */
type AtTime = "no" | "moved" | "kept" | "yes";

/** Where a consumer of one partition started, and how far the application has come. */
export class ReadingPlace {
  readonly #durable: boolean;
  #start: StartPosition | undefined;
  #lastTaken: Message | undefined;
  /** The first of what the application gave back since it took any. */
  #returned: Message | undefined;
  /** The last entry that nothing came of, since it could not be read or nothing of it was wanted. */
  #passed: { readonly ledgerId: number; readonly entryId: number } | undefined;
  #atTime: AtTime = "no";
  /** It was moved twice in a row to the same time: what the broker then has is what there is. */
  #movedTwice = false;

  constructor(durable: boolean, start: StartPosition | undefined) {
    this.#durable = durable;
    this.#start = start;
  }

  /** The application has got a message. */
  onTaken(message: Message): void {
    this.#lastTaken = message;
    this.#returned = undefined;
  }

  /** The application gave back what it had got, and is to get it again. */
  onReturned(message: Message): void {
    const returned = this.#returned ?? this.#lastTaken;
    if (returned !== undefined && message.messageId.compareTo(returned.messageId) > 0) return;
    this.#returned = message;
  }

  /** Nothing of an entry goes to the application. */
  onPassed(ledgerId: number, entryId: number): void {
    this.#passed = { ledgerId, entryId };
  }

  /** What has come is forgotten: it comes again, or is no longer wanted. */
  onForgotten(): void {
    this.#passed = undefined;
  }

  /** A subscription that is not durable goes on behind what the application has got. */
  onAttaching(): void {
    const next = this.#returned ?? this.#lastTaken;
    if (this.#durable || next === undefined) return;
    this.#start = { kind: "id", id: next.messageId, inclusive: this.#returned !== undefined };
    if (this.#returned === undefined) return;
    // what was taken before it lies before the start
    this.#returned = undefined;
    this.#lastTaken = undefined;
  }

  /** It was moved; `detached` tells whether the broker has let go of the consumer for that already. */
  onSought(position: StartPosition, detached: boolean): void {
    this.#start = position;
    this.#lastTaken = undefined;
    this.#returned = undefined;
    this.#movedTwice = false;
    this.#onMoved(detached);
  }

  onDetached(): void {
    this.#atTime = this.#atTime === "moved" ? "kept" : "no";
  }

  /** What SUBSCRIBE tells of the place; nothing for a durable subscription, of which the broker knows. */
  subscribeFields(): { startMessageId?: MessageIdData; startMessageRollbackDurationSec?: number } {
    if (this.#durable) return {};
    const start = this.#start;
    const startMessageId = startIdData(start?.kind === "id" ? start.id : MessageId.earliest);
    if (start?.kind !== "time" || start.rollbackMs === undefined) return { startMessageId };
    return { startMessageId, startMessageRollbackDurationSec: Math.ceil(start.rollbackMs / 1000) };
  }

  /** The time the broker is to be moved to, since it could not be told when subscribing. Ask once subscribed. */
  timeToMoveTo(): StartPosition | undefined {
    const start = this.#start;
    if (this.#durable || start?.kind !== "time") return undefined;
    if (start.rollbackMs !== undefined) {
      // the broker has gone back by its own clock; from now on the time it is
      this.#start = { kind: "time", timestampMs: start.timestampMs };
      this.#atTime = "yes";
    }
    return this.#atTime === "no" ? start : undefined;
  }

  /** The broker was moved to the time. */
  onMovedToTime(detached: boolean): void {
    this.#onMoved(detached);
  }

  /**
   * Whether a message, the first since the reader is attached, was published before the time the reader is to start from, so
   * that the broker has to be moved there again. Not twice: a broker may go by another time than the message's own.
   */
  isMisplaced(publishTimeMs: number): boolean {
    if (this.#atTime !== "kept") return false;
    const start = this.#start;
    const early = start?.kind === "time" && publishTimeMs < start.timestampMs && !this.#movedTwice;
    this.#atTime = early ? "no" : "yes";
    this.#movedTwice = early;
    return early;
  }

  /** Whether a message lies before the start. */
  skips(ledgerId: number, entryId: number, batchIndex: number): boolean {
    return isBeforeStart(this.#start, ledgerId, entryId, batchIndex);
  }

  /** Whether a topic whose last message is `last` has one the application has not got. */
  hasMore(last: MessageId, markDelete: MessageIdData | undefined): boolean {
    if (last.entryId < 0 || this.#isPassed(last)) return false;
    const taken = this.#lastTaken;
    return taken === undefined ? isBehindStart(last, this.#start, markDelete) : last.compareTo(taken.messageId) > 0;
  }

  #isPassed({ ledgerId, entryId }: MessageId): boolean {
    const passed = this.#passed;
    if (passed === undefined) return false;
    return ledgerId < passed.ledgerId || (ledgerId === passed.ledgerId && entryId <= passed.entryId);
  }

  #onMoved(detached: boolean): void {
    if (!this.#durable) this.#atTime = detached ? "kept" : "moved";
  }
}
