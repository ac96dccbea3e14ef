import { type Deferred, deferred } from "@pulsewire/runtime";
import type { PulsarError } from "../errors.ts";
import { type ChunkPlace, MessageId } from "../message-id.ts";
import type { ProducerMessage } from "./producer-message.ts";

const EMPTY = new Uint8Array(0);

/** One frame in its two pieces. */
export interface Frame {
  readonly head: Uint8Array;
  readonly body: Uint8Array;
}

/**
 * One entry that was sent or is to be sent, until its receipt. `preparing`: being compressed; `ready`: its bytes are
 * there; `dropped`: settled before its turn, to be passed over.
 */
export class PendingSend {
  /** Rises by one for each entry of a producer. */
  readonly index: number;
  readonly createdMs: number;
  readonly #topic: string;
  readonly #partition: number;
  readonly #settled: Deferred<void> = deferred();
  state: "preparing" | "ready" | "dropped" = "preparing";
  sequenceId = 0;
  highestSequenceId = 0;
  count = 0;
  /** Set for an entry that holds one message. */
  single: ProducerMessage | undefined;
  /** The first message of a batch, for what the entry's own metadata takes from it. */
  first: ProducerMessage | undefined;
  /** What was reserved of the memory limit. */
  reservedBytes = 0;
  /** The payload before compression, and the frame's two pieces when ready. */
  payload: Uint8Array = EMPTY;
  head: Uint8Array = EMPTY;
  body: Uint8Array = EMPTY;
  /** The frames of a message that goes in chunks, instead of the two pieces. */
  chunks: readonly Frame[] | undefined;
  /** Where the chunks are that have their receipts. */
  #places: ChunkPlace[] | undefined;
  #ledgerId = -1;
  #entryId = -1;
  #given = 0;

  constructor(index: number, createdMs: number, topic: string, partition: number) {
    this.index = index;
    this.createdMs = createdMs;
    this.#topic = topic;
    this.#partition = partition;
  }

  /**
   * The promise of the next message's id; to be called once for each message, in order. All of an entry hang on one
   * promise with one function, which gives the ids out in the order it is called in, and that is the order they were
   * hung on: a message costs no closure.
   */
  next(): Promise<MessageId> {
    return this.#settled.promise.then(this.#nextId);
  }

  /** The chunks without a receipt. */
  get openChunks(): readonly Frame[] {
    return this.chunks?.slice(this.#places?.length ?? 0) ?? [];
  }

  /** A receipt came. Answers whether it was the last. */
  onReceipt(ledgerId: number, entryId: number): boolean {
    if (this.chunks === undefined) return true;
    this.#places ??= [];
    this.#places.push({ ledgerId, entryId });
    return this.#places.length === this.chunks.length;
  }

  resolve(ledgerId: number, entryId: number): void {
    this.#ledgerId = ledgerId;
    this.#entryId = entryId;
    this.#settled.resolve();
  }

  reject(error: PulsarError): void {
    this.#settled.reject(error);
  }

  readonly #nextId = (): MessageId => {
    const batched = this.single === undefined;
    const batchIndex = batched ? this.#given++ : -1;
    return new MessageId(
      this.#ledgerId,
      this.#entryId,
      this.#partition,
      batchIndex,
      batched ? this.count : 0,
      this.#topic,
      this.#places,
    );
  };
}
