import type { Clock } from "@pulsewire/runtime";
import type { Message } from "../message.ts";
import type { AckPlace } from "./ack-tracker.ts";
import type { ResolvedConsumerOptions } from "./consumer-options.ts";
import { DelayQueue } from "./delay-queue.ts";
import { backoffMs } from "./redelivery-backoff.ts";

/** A message that is to be delivered again. */
export interface DueMessage extends AckPlace {
  /** There where the application gave the message and not only its id. */
  readonly message: Message | undefined;
  /** The message of a newer delivery: another of its batch was to come earlier, and brought it. */
  held?: Message;
}

/** An entry nobody will acknowledge, since this client cannot read it. */
export type UndeliveredEntry = Pick<AckPlace, "ledgerId" | "entryId" | "chunks">;

export function placeKey(place: AckPlace): string {
  return `${place.ledgerId}:${place.entryId}:${place.batchIndex}`;
}

/** How long an acknowledgement may take where the backoff that is to say so says nothing of use. */
const SILENCE_MS = 60_000;

/** Why a message is delivered again: it was refused, or nothing was heard of it in time. */
export type RedeliveryCause = "negative" | "timeout";

/** When which message of a consumer is to be delivered again: after a negative acknowledgement, or after silence. */
export class RedeliveryTracker {
  readonly #options: ResolvedConsumerOptions;
  readonly #negative: DelayQueue<DueMessage>;
  readonly #silent: DelayQueue<DueMessage> | undefined;

  constructor(
    clock: Clock,
    options: ResolvedConsumerOptions,
    redeliver: (due: DueMessage[], cause: RedeliveryCause) => void,
  ) {
    this.#options = options;
    this.#negative = new DelayQueue(clock, (due) => redeliver(due, "negative"));
    const watches = options.ackTimeoutMs > 0 || options.ackTimeoutRedeliveryBackoff !== undefined;
    this.#silent = watches ? new DelayQueue(clock, (due) => redeliver(due, "timeout")) : undefined;
  }

  /** The application has got it: its ack timeout runs from now. */
  onTaken(message: Message): void {
    if (this.#silent === undefined) return;
    this.#watch(this.#silent, dueMessage(message), message.entry.redeliveryCount);
  }

  /** An entry came that cannot be read now: nobody will acknowledge it. */
  onUndelivered(entry: UndeliveredEntry, redeliveryCount: number): void {
    if (this.#silent === undefined) return;
    const { ledgerId, entryId, chunks } = entry;
    const due = { ledgerId, entryId, batchIndex: -1, batchSize: 0, chunks, message: undefined };
    this.#watch(this.#silent, due, redeliveryCount);
  }

  #watch(silent: DelayQueue<DueMessage>, due: DueMessage, redeliveryCount: number): void {
    const { ackTimeoutMs, ackTimeoutRedeliveryBackoff } = this.#options;
    const backsOff = ackTimeoutRedeliveryBackoff !== undefined && (redeliveryCount > 0 || ackTimeoutMs === 0);
    const otherwiseMs = ackTimeoutMs > 0 ? ackTimeoutMs : SILENCE_MS;
    const delayMs = backsOff ? backoffMs(ackTimeoutRedeliveryBackoff, redeliveryCount, otherwiseMs) : ackTimeoutMs;
    silent.add(placeKey(due), delayMs, due);
  }

  /**
   * Messages came, some of them again: the timeout of the delivery before is over, and that of this one runs only once the
   * application takes it. Else the rest of a batch, brought by the first of it that timed out, would be asked for again
   * while it waits to be taken.
   */
  onDelivered(messages: readonly Message[]): void {
    const silent = this.#silent;
    if (silent === undefined || silent.size === 0) return;
    for (const message of messages) silent.delete(placeKey(dueMessage(message)));
  }

  /**
   * The application gives a message back to the queue, whose timeout runs once it is taken again. False where the timeout
   * is over: the broker was asked for it.
   */
  onReturned(message: Message): boolean {
    return this.#silent === undefined || this.#silent.delete(placeKey(dueMessage(message))) !== undefined;
  }

  onAcknowledged(place: AckPlace): void {
    if (this.#silent === undefined && this.#negative.size === 0) return;
    const key = placeKey(place);
    this.#silent?.delete(key);
    this.#negative.delete(key);
  }

  onAcknowledgedUpTo(place: AckPlace): void {
    const reached = (due: DueMessage): boolean => comparePlaces(due, place) <= 0;
    this.#silent?.deleteWhere(reached);
    this.#negative.deleteWhere(reached);
  }

  onNegative(place: AckPlace, message: Message | undefined, redeliveryCount: number): void {
    // Where the ack timeout has fired for this delivery, its redelivery is under way already. One more would count the
    // message twice for one failure.
    if (this.#silent !== undefined && this.#silent.delete(placeKey(place)) === undefined) return;
    this.bringBack(place, message, redeliveryCount);
  }

  /** The same for what no ack timeout runs for: the application has not got it, or has given it back already. */
  bringBack(place: AckPlace, message: Message | undefined, redeliveryCount: number): void {
    const { negativeAckRedeliveryBackoff, negativeAckRedeliveryDelayMs } = this.#options;
    const delayMs =
      negativeAckRedeliveryBackoff === undefined
        ? negativeAckRedeliveryDelayMs
        : backoffMs(negativeAckRedeliveryBackoff, redeliveryCount, negativeAckRedeliveryDelayMs);
    const { ledgerId, entryId, batchIndex, batchSize, chunks } = place;
    this.#negative.add(placeKey(place), delayMs, { ledgerId, entryId, batchIndex, batchSize, chunks, message });
  }

  /** Whether any message waits after a negative acknowledgement. */
  get hasNegative(): boolean {
    return this.#negative.size > 0;
  }

  /** What was refused and waits to be delivered again, where it is this message. */
  negative(message: Message): DueMessage | undefined {
    return this.#negative.get(placeKey(dueMessage(message)));
  }

  /** How many messages are kept. */
  get held(): number {
    let held = 0;
    if (this.#negative.size > 0) for (const due of this.#negative.items()) if (due.held !== undefined) held++;
    return held;
  }

  clear(): void {
    this.#silent?.clear();
    this.#negative.clear();
  }
}

export function dueMessage(message: Message<unknown>): DueMessage {
  const { ledgerId, entryId, batchSize, chunks } = message.entry;
  return { ledgerId, entryId, batchIndex: message.batchIndex, batchSize, chunks, message: message as Message };
}

function comparePlaces(a: AckPlace, b: AckPlace): number {
  return a.ledgerId - b.ledgerId || a.entryId - b.entryId || lastIndex(a) - lastIndex(b);
}

/** A place without an index stands for its whole entry. */
function lastIndex(place: AckPlace): number {
  return place.batchIndex < 0 ? Number.MAX_SAFE_INTEGER : place.batchIndex;
}
