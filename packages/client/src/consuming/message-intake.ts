import { CommandAckAckType, type CommandMessage, CommandType } from "@pulsewire/protocol";
import type { ClientContext } from "../client-context.ts";
import type { Connection } from "../connection/connection.ts";
import { EntryDecryptor } from "../crypto/entry-decryptor.ts";
import type { Message } from "../message.ts";
import type { ChunkPlace } from "../message-id.ts";
import type { ValueReader } from "../schema/value-reader.ts";
import type { AckTracker } from "./ack-tracker.ts";
import { ChunkAssembler } from "./chunk-assembler.ts";
import { EntryIntake } from "./entry-intake.ts";
import {
  BrokenEntryError,
  batchSizeOf,
  messagesOf,
  permitsOf,
  type ReceivedEntry,
  receiveEntry,
} from "./entry-reader.ts";
import type { ResolvedConsumerPayloadOptions } from "./payload-options.ts";
import type { Permits } from "./permits.ts";
import type { UndeliveredEntry } from "./redelivery-tracker.ts";

export interface MessageIntakeOptions {
  readonly context: ClientContext;
  /** The partition's consumer, as its messages name it. */
  readonly owner: object;
  readonly topic: string;
  readonly partition: number;
  readonly consumerId: number;
  readonly acks: AckTracker;
  readonly permits: Permits;
  readonly payload: ResolvedConsumerPayloadOptions;
  /** There where the consumer has a schema. */
  readonly values: ValueReader | undefined;
  /** The connection, while attached. */
  wire(): Connection | undefined;
  /** Whether the application is to get a message. */
  isWanted(
    ledgerId: number,
    entryId: number,
    batchIndex: number,
    batchSize: number,
    chunks: readonly ChunkPlace[] | undefined,
  ): boolean;
  /** An entry came that was published at a time. False: it is not from where the consumer is to read, and nothing of it counts. */
  isInPlace(timeMs: number): boolean;
  /** A chunk came without the rest of its message. Answers whether it will be delivered again. */
  giveUp(place: ChunkPlace): boolean;
  deliver(messages: Message[]): void;
  /** So much is being delivered. */
  received(messages: number, bytes: number): void;
  /** An entry cannot be read by this client, and is left to be delivered again. */
  undelivered(entry: UndeliveredEntry, redeliveryCount: number): void;
  /** Nothing comes of an entry. */
  passed(ledgerId: number, entryId: number): void;
  /** Messages that were counted are not delivered: the broker may be asked for others. */
  leftOut(): void;
}

/** From what the broker delivers to messages for the application, in the order they come. */
export class MessageIntake {
  readonly #options: MessageIntakeOptions;
  readonly #entries: EntryIntake;

  constructor(options: MessageIntakeOptions) {
    this.#options = options;
    this.#entries = new EntryIntake({
      codec: options.context.runtime.codec,
      decryptor: new EntryDecryptor({
        topic: options.topic,
        keyReader: options.payload.cryptoKeyReader,
        encryption: options.context.runtime.codec.encryption,
        waits: options.context.waits,
        timeoutMs: options.context.operationTimeoutMs,
      }),
      cryptoFailureAction: options.payload.cryptoFailureAction,
      chunks: this.#makeChunks(),
      withheld: (entry) => this.#onWithheld(entry),
      deliver: (entry, payload) => this.#deliver(entry, payload),
      prepare: (entry) => options.values?.prepare(entry.parsed.metadata.schemaVersion),
      failed: (entry, error) => this.#onBroken(entry.command, error, permitsOf(entry)),
    });
  }

  /** An entry came. `stale`: it was sent before the broker knew that it is not wanted any more. */
  receive(command: CommandMessage, bytes: Uint8Array, stale: boolean): void {
    const { permits } = this.#options;
    let entry: ReceivedEntry;
    try {
      entry = receiveEntry(command, bytes);
    } catch (error) {
      permits.onReceived(1);
      this.#onBroken(command, error, 1);
      return;
    }
    const { metadata, brokerEntryMetadata } = entry.parsed;
    if (!stale && !this.#options.isInPlace(brokerEntryMetadata?.brokerTimestamp ?? metadata.publishTime)) return;
    const messages = permitsOf(entry);
    permits.onReceived(messages);
    if (stale) {
      permits.onReleased(messages);
      this.#options.leftOut();
    } else this.#entries.push(entry);
  }

  /** Forgets what is being taken in; answers how many messages that were. */
  clear(): number {
    return this.#entries.clear();
  }

  #makeChunks(): ChunkAssembler {
    const { context, topic, payload, acks, giveUp } = this.#options;
    return new ChunkAssembler({
      clock: context.runtime.clock,
      options: payload,
      acknowledge: (places) => {
        for (const place of places) void acks.acknowledge({ ...place, batchIndex: -1, batchSize: 0 });
      },
      giveUp,
      log: (text) => context.logger.warn(`${topic}: ${text}`),
    });
  }

  /** A chunk has left the queue as far as the broker counts; only the last one waits in it, as the message. */
  #onWithheld(entry: ReceivedEntry): void {
    this.#options.permits.onReleased(permitsOf(entry));
    this.#options.leftOut();
  }

  #deliver(entry: ReceivedEntry, payload: Uint8Array): void {
    const { acks, permits, owner, topic, partition, values } = this.#options;
    const { ledgerId, entryId } = entry.command.messageId;
    const batchSize = batchSizeOf(entry);
    if (batchSize > 0) acks.onDelivered(ledgerId, entryId, batchSize, entry.command.ackSet ?? []);
    const wanted = (batchIndex: number): boolean =>
      this.#options.isWanted(ledgerId, entryId, batchIndex, batchSize, entry.chunks);
    const messages = messagesOf(entry, payload, { owner, topic, partition, values }, wanted);
    const leftOut = permitsOf(entry) - messages.length;
    if (leftOut > 0) permits.onReleased(leftOut);
    if (messages.length === 0) this.#options.passed(ledgerId, entryId);
    this.#options.received(messages.length, payload.length);
    this.#options.deliver(messages);
    if (leftOut > 0) this.#options.leftOut();
  }

  /**
   * An entry no one can read is acknowledged with the reason, so that it does not come for ever. One that only this client
   * cannot read stays unacknowledged, and comes again as what the application does not acknowledge does. `messages` is what
   * the broker counted it as.
   */
  #onBroken(command: CommandMessage, error: unknown, messages: number): void {
    if (!(error instanceof BrokenEntryError)) throw error;
    const { context, topic, consumerId, permits } = this.#options;
    const { messageId: id, redeliveryCount = 0 } = command;
    const { ledgerId, entryId } = id;
    const becomes = error.reason === undefined ? "is not delivered and stays unacknowledged" : "is dropped";
    context.logger.error(`${topic}: ${ledgerId}:${entryId} ${becomes}, ${error.message}`);
    if (error.reason === undefined)
      this.#options.undelivered({ ledgerId, entryId, chunks: error.chunks }, redeliveryCount);
    else {
      const messageId = (error.chunks ?? [{ ledgerId, entryId }]).map((place) => ({ ...place }));
      const ackType = CommandAckAckType.Individual;
      const body = { consumerId, ackType, messageId, validationError: error.reason };
      this.#options.wire()?.send({ type: CommandType.ACK, body });
    }
    this.#options.passed(id.ledgerId, id.entryId);
    permits.onReleased(messages);
    this.#options.leftOut();
  }
}
