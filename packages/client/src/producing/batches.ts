import type { MessageId } from "../message-id.ts";
import { BatchWriter, sizeBound } from "./batch-writer.ts";
import type { PendingSend } from "./pending-send.ts";
import { keyBytes, type ProducerMessage, toBase64 } from "./producer-message.ts";

/** Opens an entry for a producer: gives it its place and its time. */
export type NewSend = () => PendingSend;
/** The sequence id of a message: its own, or the producer's next. */
export type AssignSequenceId = (message: ProducerMessage) => number;

/** What collects messages until an entry is made of them. */
export interface BatchContainer {
  /** Messages waiting. */
  readonly count: number;
  /** About what the entry will take, in bytes. */
  readonly sizeBytes: number;
  /** Resolves with the message's id when its entry has its receipt. */
  add(message: ProducerMessage, payload: Uint8Array): Promise<MessageId>;
  /** Ends collecting: the entries, in the order they are to be sent. */
  take(): PendingSend[];
}

/** One entry of messages in the order they came. One message alone becomes an entry without a batch. */
class OpenBatch {
  readonly send: PendingSend;
  readonly #expectedBytes: number;
  #writer: BatchWriter | undefined;
  sizeBytes = 0;

  constructor(send: PendingSend, expectedBytes: number) {
    this.send = send;
    this.#expectedBytes = expectedBytes;
  }

  add(message: ProducerMessage, payload: Uint8Array, sequenceId: number): void {
    const { send } = this;
    if (send.count === 0) {
      send.first = message;
      send.single = message;
      send.payload = payload;
      send.sequenceId = sequenceId;
      this.sizeBytes = payload.length + sizeBound(message);
    } else {
      this.#write(message, payload, sequenceId);
    }
    send.highestSequenceId = sequenceId;
    send.count++;
    send.reservedBytes += payload.length;
  }

  finish(): PendingSend {
    if (this.#writer !== undefined) this.send.payload = this.#writer.finish();
    return this.send;
  }

  #write(message: ProducerMessage, payload: Uint8Array, sequenceId: number): void {
    const { send } = this;
    let writer = this.#writer;
    if (writer === undefined) {
      writer = new BatchWriter(Math.max(this.#expectedBytes, this.sizeBytes + payload.length + 256));
      this.#writer = writer;
      writer.append(send.first as ProducerMessage, send.payload, send.sequenceId);
      send.single = undefined;
    }
    writer.append(message, payload, sequenceId);
    this.sizeBytes = writer.length;
  }
}

/** One batch at a time, for messages in the order they come. */
export class DefaultBatches implements BatchContainer {
  readonly #newSend: NewSend;
  readonly #assign: AssignSequenceId;
  #open: OpenBatch | undefined;
  #lastBytes = 0;

  constructor(newSend: NewSend, assign: AssignSequenceId) {
    this.#newSend = newSend;
    this.#assign = assign;
  }

  get count(): number {
    return this.#open === undefined ? 0 : this.#open.send.count;
  }

  get sizeBytes(): number {
    return this.#open === undefined ? 0 : this.#open.sizeBytes;
  }

  add(message: ProducerMessage, payload: Uint8Array): Promise<MessageId> {
    // a batch is about as large as the one before it
    this.#open ??= new OpenBatch(this.#newSend(), this.#lastBytes + (this.#lastBytes >> 3));
    this.#open.add(message, payload, this.#assign(message));
    return this.#open.send.next();
  }

  take(): PendingSend[] {
    const open = this.#open;
    if (open === undefined) return [];
    this.#open = undefined;
    this.#lastBytes = open.sizeBytes;
    return [open.finish()];
  }
}

interface Collected {
  readonly batch: OpenBatch;
  readonly messages: { message: ProducerMessage; payload: Uint8Array }[];
}

/**
 * One batch for each key, so that every key of a Key_Shared subscription goes to its own consumer. Sequence ids are
 * given when the batches are made: each has a range of its own, and the ranges rise in the order they are sent.
 */
export class KeyedBatches implements BatchContainer {
  readonly #newSend: NewSend;
  readonly #assign: AssignSequenceId;
  readonly #byKey = new Map<string, Collected>();
  count = 0;
  sizeBytes = 0;

  constructor(newSend: NewSend, assign: AssignSequenceId) {
    this.#newSend = newSend;
    this.#assign = assign;
  }

  add(message: ProducerMessage, payload: Uint8Array): Promise<MessageId> {
    const key = batchKey(message);
    let collected = this.#byKey.get(key);
    if (collected === undefined) {
      collected = { batch: new OpenBatch(this.#newSend(), 0), messages: [] };
      this.#byKey.set(key, collected);
    }
    collected.messages.push({ message, payload });
    this.count++;
    this.sizeBytes += payload.length + sizeBound(message);
    return collected.batch.send.next();
  }

  take(): PendingSend[] {
    const sends: PendingSend[] = [];
    for (const { batch, messages } of this.#byKey.values()) {
      for (const { message, payload } of messages) batch.add(message, payload, this.#assign(message));
      sends.push(batch.finish());
    }
    this.#byKey.clear();
    this.count = 0;
    this.sizeBytes = 0;
    return sends;
  }
}

function batchKey(message: ProducerMessage): string {
  const key = message.orderingKey ?? message.key;
  if (key === undefined) return "";
  return typeof key === "string" ? `t${key}` : `b${toBase64(keyBytes(key))}`;
}

/** Makes an entry of one message that is not to be batched. */
export function fillSingle(send: PendingSend, message: ProducerMessage, payload: Uint8Array, sequenceId: number): void {
  new OpenBatch(send, 0).add(message, payload, sequenceId);
}
