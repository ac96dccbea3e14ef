import type { Message as CoreMessage } from "../message.ts";
import type { CompressionType, ProducerMessage } from "./config.ts";
import { MessageId } from "./message-id.ts";
import { type Buffer, bufferOf } from "./platform.ts";

export interface EncryptionKey {
  key: string;
  value: Buffer;
  metadata: { [key: string]: string };
}

export interface EncryptionContext {
  keys: EncryptionKey[];
  param: Buffer;
  algorithm: string;
  compressionType: CompressionType;
  uncompressedMessageSize: number;
  batchSize: number;
  isDecryptionFailed: boolean;
}

/** A received message, or, in a message router, one on its way out. */
type Held = { kind: "received"; message: CoreMessage } | { kind: "outgoing"; message: ProducerMessage };

const utf8 = new TextDecoder();

export class Message {
  #held: Held | undefined;

  /** @internal */
  static of(message: CoreMessage): Message {
    return Message.#holding({ kind: "received", message });
  }

  /** @internal */
  static outgoing(message: ProducerMessage): Message {
    return Message.#holding({ kind: "outgoing", message });
  }

  /** @internal This client's own message. */
  static core(message: Message): CoreMessage {
    if (!(message instanceof Message)) throw new TypeError("Expected a Message");
    return message.#received;
  }

  static #holding(held: Held): Message {
    const message = new Message();
    message.#held = held;
    return message;
  }

  getTopicName(): string {
    return this.#received.topic;
  }

  getProperties(): { [key: string]: string } {
    return { ...this.#any.properties };
  }

  /** A view of what was received, not a copy. */
  getData(): Buffer {
    const { data } = this.#any;
    return bufferOf(data ?? new Uint8Array(0));
  }

  getMessageId(): MessageId {
    return MessageId.of(this.#received.messageId);
  }

  getPublishTimestamp(): number {
    return this.#held?.kind === "outgoing" ? 0 : this.#received.publishTime;
  }

  getEventTimestamp(): number {
    if (this.#held?.kind === "outgoing") return this.#held.message.eventTimestamp ?? 0;
    return this.#received.eventTime;
  }

  getRedeliveryCount(): number {
    return this.#held?.kind === "outgoing" ? 0 : this.#received.redeliveryCount;
  }

  getPartitionKey(): string {
    if (this.#held?.kind === "outgoing") return this.#held.message.partitionKey ?? "";
    return this.#received.key ?? "";
  }

  getOrderingKey(): string {
    if (this.#held?.kind === "outgoing") return this.#held.message.orderingKey ?? "";
    const { orderingKey } = this.#received;
    return orderingKey === undefined ? "" : utf8.decode(orderingKey);
  }

  getProducerName(): string {
    return this.#held?.kind === "outgoing" ? "" : this.#received.producerName;
  }

  isReplicated(): boolean {
    return this.getReplicatedFrom() !== "";
  }

  getReplicatedFrom(): string {
    return this.#held?.kind === "outgoing" ? "" : (this.#received.replicatedFrom ?? "");
  }

  getEncryptionContext(): EncryptionContext | null {
    return this.#held?.kind === "outgoing" ? null : encryptionContextOf(this.#received);
  }

  get #any(): { data?: Uint8Array; properties?: Readonly<Record<string, string>> } {
    return this.#held?.kind === "outgoing" ? this.#held.message : this.#received;
  }

  get #received(): CoreMessage {
    if (this.#held?.kind !== "received") throw new Error("Message has not been built");
    return this.#held.message;
  }
}

const COMPRESSIONS: Readonly<Record<string, CompressionType>> = {
  NONE: "None",
  ZLIB: "Zlib",
  LZ4: "LZ4",
  ZSTD: "ZSTD",
  SNAPPY: "SNAPPY",
};

function encryptionContextOf(message: CoreMessage): EncryptionContext | null {
  const context = message.encryptionContext;
  if (context === undefined) return null;
  return {
    keys: Object.entries(context.keys).map(([key, { value, metadata }]) => ({
      key,
      value: bufferOf(value),
      metadata: { ...metadata },
    })),
    param: bufferOf(context.param),
    algorithm: context.algorithm,
    compressionType: COMPRESSIONS[context.compressionType] ?? "None",
    uncompressedMessageSize: context.uncompressedMessageSize,
    batchSize: context.batchSize ?? 0,
    isDecryptionFailed: context.isEncrypted,
  };
}
