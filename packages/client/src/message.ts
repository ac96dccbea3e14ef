import type { BrokerEntryMetadata, Decoded, MessageMetadata, SingleMessageMetadata } from "@pulsewire/protocol";
import { readBatchedMetadata } from "./consuming/batch-reader.ts";
import { type EncryptionContext, encryptionContextOf } from "./crypto/encryption-context.ts";
import { type ChunkPlace, MessageId } from "./message-id.ts";
import type { ValueReader } from "./schema/value-reader.ts";

/** What the messages of one entry have in common. */
export interface EntryContext {
  /** The consumer of the partition it came from. */
  readonly owner: object;
  readonly topic: string;
  readonly partition: number;
  readonly ledgerId: number;
  readonly entryId: number;
  readonly redeliveryCount: number;
  readonly metadata: Decoded<MessageMetadata>;
  readonly brokerEntryMetadata: BrokerEntryMetadata | undefined;
  /** How many messages the batch has, or 0 for an entry without one. */
  readonly batchSize: number;
  /** The batch, uncompressed; empty for an entry without one. */
  readonly batch: Uint8Array;
  /** Where the chunks are of a message that was sent in chunks. */
  readonly chunks: readonly ChunkPlace[] | undefined;
  /** It could not be decrypted. */
  readonly encrypted: boolean;
  /** There where the consumer has a schema. */
  readonly values?: ValueReader | undefined;
}

const utf8 = new TextDecoder();
const NO_PROPERTIES: Readonly<Record<string, string>> = Object.freeze({});

/**
 * A message as it was received. `data` is a view of what came over the wire: it stays valid, and holds its whole entry in
 * memory. Everything else is decoded when it is asked for.
 */
export class Message<T = Uint8Array> {
  /** The payload. Empty for a null value. */
  readonly data: Uint8Array;
  /** @internal */
  readonly entry: EntryContext;
  /** @internal The index in the batch, or -1. */
  readonly batchIndex: number;
  readonly #metadataStart: number;
  #single: Decoded<SingleMessageMetadata> | undefined;
  #messageId: MessageId | undefined;
  #properties: Readonly<Record<string, string>> | undefined;

  /** @internal `metadataStart` tells where in the batch the message's own metadata is. */
  constructor(entry: EntryContext, batchIndex: number, data: Uint8Array, metadataStart: number) {
    this.entry = entry;
    this.batchIndex = batchIndex;
    this.data = data;
    this.#metadataStart = metadataStart;
  }

  /**
   * The value, decoded by the consumer's schema each time it is asked for; without a schema `data`. Throws a SchemaError
   * where the payload does not fit the schema, or where the message was sent without a value.
   */
  get value(): T {
    const { values } = this.entry;
    return (values === undefined ? this.data : values.read(this)) as T;
  }

  /** Which message it is, for logs; not its payload. */
  toString(): string {
    return `message ${this.messageId} of ${this.topic}`;
  }

  /** The payload as UTF-8. */
  text(): string {
    return utf8.decode(this.data);
  }

  get messageId(): MessageId {
    if (this.#messageId === undefined) {
      const { ledgerId, entryId, partition, batchSize, topic, chunks } = this.entry;
      this.#messageId = new MessageId(ledgerId, entryId, partition, this.batchIndex, batchSize, topic, chunks);
    }
    return this.#messageId;
  }

  /** The topic it came from: of a partitioned topic, the partition's full name. */
  get topic(): string {
    return this.entry.topic;
  }

  get properties(): Readonly<Record<string, string>> {
    if (this.#properties === undefined) {
      const { properties } = this.#own;
      this.#properties =
        properties.length === 0 ? NO_PROPERTIES : Object.fromEntries(properties.map((p) => [p.key, p.value]));
    }
    return this.#properties;
  }

  /** The key; one that was sent as bytes is base64, see `keyBytes`. */
  get key(): string | undefined {
    return this.#own.partitionKey;
  }

  /** The key as bytes, whichever way it was sent. */
  get keyBytes(): Uint8Array | undefined {
    const { partitionKey, partitionKeyB64Encoded } = this.#own;
    if (partitionKey === undefined) return undefined;
    if (partitionKeyB64Encoded !== true) return new TextEncoder().encode(partitionKey);
    return Uint8Array.from(atob(partitionKey), (c) => c.charCodeAt(0));
  }

  /** Whether the key was sent as bytes, so that `key` is base64. */
  get hasBase64EncodedKey(): boolean {
    return this.#own.partitionKeyB64Encoded ?? false;
  }

  get orderingKey(): Uint8Array | undefined {
    return this.#own.orderingKey;
  }

  /** In ms since 1970; 0 where the producer gave none. */
  get eventTime(): number {
    return this.#own.eventTime ?? 0;
  }

  /** When the producer made the entry, in ms since 1970. */
  get publishTime(): number {
    return this.entry.metadata.publishTime;
  }

  get producerName(): string {
    return this.entry.metadata.producerName;
  }

  get sequenceId(): number {
    if (this.batchIndex < 0) return Number(this.entry.metadata.sequenceId);
    return Number(this.#batched.sequenceId ?? this.entry.metadata.sequenceId);
  }

  /**
   * How often the broker delivered it before, as it counts: with Shared and Key_Shared each negative acknowledgement and
   * each ack timeout adds one, a reconnection does not; with Exclusive and Failover it stays 0.
   */
  get redeliveryCount(): number {
    return this.entry.redeliveryCount;
  }

  /** Whether it was sent with `data: null`. */
  get hasNullValue(): boolean {
    return this.#own.nullValue ?? false;
  }

  get schemaVersion(): Uint8Array | undefined {
    return this.entry.metadata.schemaVersion;
  }

  /**
   * How it was encrypted, where it was. Where `isEncrypted` is true it could not be decrypted, and `data` is what the
   * producer sent: see the consumer's option `cryptoFailureAction`.
   */
  get encryptionContext(): EncryptionContext | undefined {
    return encryptionContextOf(this.entry.metadata, this.entry.encrypted);
  }

  /** The cluster it was replicated from. */
  get replicatedFrom(): string | undefined {
    return this.entry.metadata.replicatedFrom;
  }

  /** When the broker got it, in ms since 1970, where the broker tells. */
  get brokerPublishTime(): number | undefined {
    return this.entry.brokerEntryMetadata?.brokerTimestamp;
  }

  /** Its number on the topic, where the broker counts. Of a batch, the message's own. */
  get index(): number | undefined {
    const last = this.entry.brokerEntryMetadata?.index;
    if (last === undefined || this.batchIndex < 0) return last;
    return last - this.entry.batchSize + 1 + this.batchIndex;
  }

  /** The fields that a message of a batch has of its own and any other has in the entry's metadata. */
  get #own(): Decoded<SingleMessageMetadata> | Decoded<MessageMetadata> {
    return this.batchIndex < 0 ? this.entry.metadata : this.#batched;
  }

  get #batched(): Decoded<SingleMessageMetadata> {
    this.#single ??= readBatchedMetadata(this.entry.batch, this.#metadataStart);
    return this.#single;
  }
}

/** What `console.log` of Node, Bun and Deno shows of a message: what an application knows of it. */
function inspected(
  this: Message,
  _depth: number,
  options: object,
  inspect?: (value: object, options: object) => string,
) {
  const { messageId, topic, key, properties, publishTime, redeliveryCount, data } = this;
  const shown = {
    messageId: String(messageId),
    topic,
    key,
    properties,
    publishTime,
    redeliveryCount,
    bytes: data.length,
  };
  return inspect === undefined ? shown : `Message ${inspect(shown, options)}`;
}

Object.defineProperty(Message.prototype, Symbol.for("nodejs.util.inspect.custom"), { value: inspected });
