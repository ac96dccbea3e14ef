import { CommandType, type MessageIdData } from "@pulsewire/protocol";
import type { Clock } from "@pulsewire/runtime";
import type { Connection } from "../connection/connection.ts";
import type { Logger } from "../logger.ts";
import type { Message } from "../message.ts";
import type { AckPlace } from "./ack-tracker.ts";
import { AskedEntries } from "./asked-entries.ts";
import type { ResolvedConsumerOptions } from "./consumer-options.ts";
import type { DeadLetters } from "./dead-letters.ts";
import {
  type DueMessage,
  type RedeliveryCause,
  RedeliveryTracker,
  type UndeliveredEntry,
} from "./redelivery-tracker.ts";
import { isShared } from "./subscription-type.ts";

export interface RedeliveryOptions {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly options: ResolvedConsumerOptions;
  readonly topic: string;
  readonly consumerId: number;
  readonly deadLetters: DeadLetters | undefined;
  /** The connection, while attached. */
  wire(): Connection | undefined;
  acknowledge(place: AckPlace): Promise<void>;
  /** Sends the acknowledgements that are collected. */
  flushAcks(): void;
  /** Gives messages to the application. */
  deliver(messages: readonly Message[]): void;
  /** Forgets everything that came and was not taken; answers how many messages. */
  dropReceived(): number;
  /** Takes messages out of the queue; answers how many. */
  discard(picked: (message: Message) => boolean): number;
  /** The broker is about to be asked for messages again. */
  asking(due: readonly DueMessage[], cause: RedeliveryCause): void;
  /** Messages have left the queue. */
  released(messages: number): void;
}

/** Ids in one REDELIVER command. */
const REDELIVER_SIZE = 1000;

/** What of one partition is delivered again, and what goes to the dead-letter topic instead. */
export class Redelivery {
  readonly #options: RedeliveryOptions;
  readonly #tracker: RedeliveryTracker;
  readonly #shared: boolean;
  readonly #asked: AskedEntries;
  #epoch = 0;
  #ended = false;

  constructor(options: RedeliveryOptions) {
    this.#options = options;
    this.#shared = isShared(options.options.type);
    this.#asked = new AskedEntries(options.clock);
    this.#tracker = new RedeliveryTracker(
      options.clock,
      options.options,
      (due, cause) => void this.#redeliverDue(due, cause),
    );
  }

  /** Rises whenever everything is asked for again; what comes with a lower one was sent before the broker knew. */
  get epoch(): number {
    return this.#epoch;
  }

  /** Messages came from the broker. Answers those that the application is to have now. */
  onDelivered(messages: readonly Message[]): readonly Message[] {
    const { deadLetters } = this.#options;
    const [first] = messages;
    if (first !== undefined) this.#asked.onDelivered(first.entry);
    this.#tracker.onDelivered(messages);
    const now = this.#tracker.hasNegative ? messages.filter((message) => !this.#waits(message)) : messages;
    if (deadLetters !== undefined) for (const message of messages) deadLetters.onDelivered(message);
    return now;
  }

  /** An entry came that this client cannot read. Its ack timeout runs, as if the application had got it. */
  onUndelivered(entry: UndeliveredEntry, redeliveryCount: number): void {
    this.#asked.onDelivered(entry);
    this.#tracker.onUndelivered(entry, redeliveryCount);
  }

  /** The application has got a message. */
  onTaken(message: Message): void {
    this.#tracker.onTaken(message);
  }

  /** The application gives a message back. False where it comes again from the broker anyway. */
  onReturned(message: Message): boolean {
    return this.#tracker.onReturned(message);
  }

  onAcknowledged(place: AckPlace): void {
    this.#tracker.onAcknowledged(place);
    this.#options.deadLetters?.onAcknowledged(place);
  }

  onAcknowledgedUpTo(place: AckPlace): void {
    this.#tracker.onAcknowledgedUpTo(place);
  }

  onNegative(place: AckPlace, message: Message | undefined): void {
    this.#tracker.onNegative(place, message, message?.redeliveryCount ?? 0);
  }

  /** A message that was forgotten, or never given to the application, is to come again. */
  bringBack(place: AckPlace, message: Message | undefined): void {
    this.#tracker.bringBack(place, message, message?.redeliveryCount ?? 0);
  }

  /** Whether a message is on its way to the dead-letter topic, and must not reach the application. */
  isLeaving(ledgerId: number, entryId: number, batchIndex: number, batchSize: number): boolean {
    const { deadLetters } = this.#options;
    // without a policy, no object for each message
    if (deadLetters === undefined) return false;
    return deadLetters.isLeaving({ ledgerId, entryId, batchIndex, batchSize });
  }

  /** Messages that came and wait until they are due. */
  get held(): number {
    return this.#tracker.held;
  }

  /** Forgets what was to be delivered again: it comes anyway, or never. */
  clear(): void {
    this.#tracker.clear();
    this.#asked.clear();
    this.#options.deadLetters?.clear();
  }

  /** Nothing is asked for any more. */
  end(): void {
    this.#ended = true;
    this.clear();
  }

  /** Has everything that is not acknowledged delivered again. */
  all(): void {
    this.#options.flushAcks();
    const dropped = this.#options.dropReceived();
    this.clear();
    if (!this.#shared) this.#epoch++;
    const wire = this.#options.wire();
    if (wire === undefined) return;
    const { consumerId } = this.#options;
    const consumerEpoch = this.#shared ? undefined : this.#epoch;
    wire.send({ type: CommandType.REDELIVER_UNACKNOWLEDGED_MESSAGES, body: { consumerId, consumerEpoch } });
    this.#options.released(dropped);
  }

  /** Whether a message of a batch that came again for the sake of another one is to wait. */
  #waits(message: Message): boolean {
    const due = this.#tracker.negative(message);
    if (due === undefined) return false;
    // refused at its last chance, it goes to the dead-letter topic: the application is not to have it once more
    const isLast = this.#options.deadLetters?.isLastChance(due) === true;
    if (isLast || due.held !== undefined) this.#options.released(1);
    if (!isLast) due.held = message;
    return true;
  }

  async #redeliverDue(all: readonly DueMessage[], cause: RedeliveryCause): Promise<void> {
    const { deadLetters } = this.#options;
    const held = all.flatMap((one) => one.held ?? []);
    if (held.length > 0) this.#options.deliver(held);
    const due = held.length === 0 ? all : all.filter((one) => one.held === undefined);
    const rest = deadLetters === undefined ? due : await this.#sendDeadLetters(due, deadLetters);
    if (rest.length === 0 || this.#ended) return;
    this.#options.asking(rest, cause);
    // for the other two types the broker keeps one position, and goes back to it
    if (this.#shared) this.#redeliverEntries(rest);
    else this.all();
  }

  #redeliverEntries(due: readonly DueMessage[]): void {
    const { consumerId } = this.#options;
    this.#options.flushAcks();
    // without a connection everything is delivered again anyway, once there is one
    const wire = this.#options.wire();
    if (wire === undefined) return;
    const entries = new Map<string, MessageIdData>();
    for (const place of this.#asked.ask(due)) {
      // of a message that came in chunks all come again
      for (const { ledgerId, entryId } of place.chunks ?? [place])
        entries.set(`${ledgerId}:${entryId}`, { ledgerId, entryId });
    }
    if (entries.size === 0) return;
    // messages of the same batch that wait in the queue come again with it
    const queued = this.#options.discard((m) => entries.has(`${m.entry.ledgerId}:${m.entry.entryId}`));
    const ids = [...entries.values()];
    for (let from = 0; from < ids.length; from += REDELIVER_SIZE) {
      const body = { consumerId, messageIds: ids.slice(from, from + REDELIVER_SIZE) };
      wire.send({ type: CommandType.REDELIVER_UNACKNOWLEDGED_MESSAGES, body });
    }
    this.#options.released(queued);
  }

  /** Answers those that are to be delivered again after all. */
  async #sendDeadLetters(due: readonly DueMessage[], deadLetters: DeadLetters): Promise<DueMessage[]> {
    const rest: DueMessage[] = [];
    const sending: Promise<void>[] = [];
    for (const one of due) {
      // messages of one batch may fall due apart: one that is on its way must not bring the batch again
      if (deadLetters.isLeaving(one)) continue;
      const message = deadLetters.take(one);
      if (message === undefined) rest.push(one);
      else sending.push(this.#sendDeadLetter(one, message, deadLetters, rest));
    }
    await Promise.all(sending);
    return rest;
  }

  async #sendDeadLetter(one: DueMessage, message: Message, letters: DeadLetters, rest: DueMessage[]): Promise<void> {
    const { logger, topic } = this.#options;
    try {
      await letters.send(message);
      await this.#options.acknowledge(one);
    } catch (error) {
      logger.warn(`${topic}: a dead letter could not be sent, ${String(error)}`);
      rest.push(one);
    } finally {
      letters.left(one);
    }
  }
}
