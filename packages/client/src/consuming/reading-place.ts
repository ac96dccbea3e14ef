import type { MessageIdData } from "@pulsewire/protocol";
import type { Message } from "../message.ts";
import { MessageId } from "../message-id.ts";
import { isBeforeStart, isBehindStart, type StartPosition, startIdData } from "./start-position.ts";

/**
 * Whether the broker keeps a reader at the time it is to start from. A subscription that is not durable is gone with its
 * connection or when its topic is unloaded, and made anew at an id only: then it is moved to the time once more.
 * `moved`: the broker is about to detach the reader because of that. `kept`: it has, and is believed to have kept the
 * subscription. Nothing tells whether it did, since what goes wrong in between does so while the reader is not attached:
 *
 *     client                                broker
 *     SEEK to the time                 -->
 *                                      <--  CLOSE_CONSUMER, SUCCESS; the subscription stands at the time
 *                                           the topic is unloaded, or the connection lost: the subscription is gone
 *     SUBSCRIBE, at the earliest       -->  makes a new one, at the earliest; had it been there, it would stand at the time
 *
 * A CLOSE_CONSUMER of an unload looks like one of a seek too. So the first entry to come decides: one from before the time
 * shows that the subscription is a new one.
 */
type AtTime = "no" | "moved" | "kept" | "yes";

/**
 * So often in a row an entry from before the time has the broker moved again. Then it is taken for what the broker finds
 * there: the times at which messages were published need not rise.
 */
const MOVES_AGAIN_MAX = 3;

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
  #movesAgain = 0;

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
    this.#movesAgain = 0;
    this.#onMoved(detached);
  }

  onDetached(): void {
    this.#atTime = this.#atTime === "moved" ? "kept" : "no";
  }

  /**
   * An entry came, published at a time (the broker's where it stamps entries, since that is what it looks for). False: it
   * is from before the time to start from, and the broker is to be moved again, on a new subscription.
   */
  onEntry(timeMs: number): boolean {
    if (this.#atTime !== "kept") return true;
    const start = this.#durable ? undefined : this.#start;
    if (start?.kind === "time" && timeMs < start.timestampMs && this.#movesAgain < MOVES_AGAIN_MAX) {
      this.#movesAgain++;
      this.#atTime = "no";
      return false;
    }
    this.#movesAgain = 0;
    this.#atTime = "yes";
    return true;
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
    this.#atTime = detached ? "kept" : "moved";
  }
}
