import { type Bits64, type CommandAck, CommandAckAckType, CommandType, type MessageIdData } from "@pulsewire/protocol";
import { type Clock, type Deferred, deferred, type Timer } from "@pulsewire/runtime";
import type { Connection } from "../connection/connection.ts";
import { AlreadyClosedError, PulsarError } from "../errors.ts";
import type { ChunkPlace } from "../message-id.ts";
import { AckSet } from "./ack-set.ts";

/** One message, as far as acknowledging goes. */
export interface AckPlace {
  readonly ledgerId: number;
  readonly entryId: number;
  /** -1 for a message that came alone. */
  readonly batchIndex: number;
  readonly batchSize: number;
  /** Of a message that was sent in chunks: where they are; the last is this place. */
  readonly chunks?: readonly ChunkPlace[] | undefined;
}

export interface AckTrackerOptions {
  readonly clock: Clock;
  readonly consumerId: number;
  readonly topic: string;
  /** How long acknowledgements are collected, in ms; 0 sends each at once. */
  readonly groupTimeMs: number;
  /** Acknowledgements collected before they are sent early. */
  readonly groupSize: number;
  /** Whether parts of a batch are told to the broker. */
  readonly batchIndexAckEnabled: boolean;
  /** Whether the broker confirms. */
  readonly receiptEnabled: boolean;
  connection(): Connection | undefined;
}

/** Batches that are acknowledged in part, as far as they are remembered. */
const BATCHES_KEPT = 10_000;
/** Entries in one ACK command. */
const GROUP_SIZE = 1000;
const DONE: Promise<void> = Promise.resolve();

/**
 * Collects acknowledgements and sends them in few commands. What is collected while there is no connection is sent after
 * the next attachment, before the first permits.
 */
export class AckTracker {
  readonly #options: AckTrackerOptions;
  readonly #batches = new Map<string, AckSet>();
  #last: AckSet | undefined;
  #individual: MessageIdData[] = [];
  #partial: AckSet[] = [];
  #cumulative: MessageIdData | undefined;
  #group: Deferred<void> | undefined;
  #timer: Timer | undefined;
  #closed = false;

  constructor(options: AckTrackerOptions) {
    this.#options = options;
  }

  /** Resolves when the broker has confirmed, where receipts are on; at once where they are off. */
  acknowledge(place: AckPlace): Promise<void> {
    if (this.#closed) return Promise.reject(this.#closedError());
    const { ledgerId, entryId, batchIndex } = place;
    if (place.chunks !== undefined) this.#individual.push(...place.chunks.map((c) => ({ ...c })));
    else if (batchIndex < 0) this.#individual.push({ ledgerId, entryId });
    else if (!this.#acknowledgeIndex(place)) return this.#options.receiptEnabled ? this.#collected() : DONE;
    return this.#collected();
  }

  /** Acknowledges everything up to and with this message. */
  acknowledgeCumulative(place: AckPlace): Promise<void> {
    if (this.#closed) return Promise.reject(this.#closedError());
    const next = this.#cumulativeId(place);
    if (this.#cumulative === undefined || isLater(next, this.#cumulative)) this.#cumulative = next;
    return this.#collected();
  }

  /** A batch is being delivered: from now on its own acknowledgements count, and what the broker knows of. */
  onDelivered(ledgerId: number, entryId: number, batchSize: number, known: readonly Bits64[]): void {
    if (this.#batches.size === 0 && known.length === 0) return;
    const key = `${ledgerId}:${entryId}`;
    const existing = this.#batches.get(key);
    // acknowledgements on their way to the broker stay; others were of the delivery before this one
    if (this.#options.batchIndexAckEnabled && existing?.dirty === true) return;
    if (this.#last === existing) this.#last = undefined;
    if (known.length === 0) this.#batches.delete(key);
    else this.#batches.set(key, new AckSet(ledgerId, entryId, batchSize, known));
  }

  /** Sends what is collected, if there is a connection. */
  flush(): void {
    this.#timer?.cancel();
    this.#timer = undefined;
    const connection = this.#options.connection();
    if (connection === undefined) return;
    const ids = this.#takeIndividual();
    const cumulative = this.#cumulative;
    this.#cumulative = undefined;
    const group = this.#group;
    this.#group = undefined;
    const sent: Promise<unknown>[] = [];
    if (cumulative !== undefined) sent.push(this.#send(connection, CommandAckAckType.Cumulative, [cumulative]));
    for (let from = 0; from < ids.length; from += GROUP_SIZE) {
      sent.push(this.#send(connection, CommandAckAckType.Individual, ids.slice(from, from + GROUP_SIZE)));
    }
    if (group === undefined) return;
    Promise.all(sent).then(
      () => group.resolve(),
      (error) => group.reject(error),
    );
  }

  /** Forgets everything, as after a seek. */
  clear(): void {
    this.#individual = [];
    this.#partial = [];
    this.#cumulative = undefined;
    this.#batches.clear();
    this.#last = undefined;
    this.#group?.resolve();
    this.#group = undefined;
  }

  /** Sends what is collected; where there is no connection it is lost, and what waits for it rejects. */
  close(): void {
    if (this.#closed) return;
    this.flush();
    this.#closed = true;
    this.#group?.reject(
      new PulsarError("AlreadyClosed", `${this.#options.topic}: closed before the acknowledgement was sent`),
    );
    this.#group = undefined;
  }

  /** Whether there is anything new to send. */
  #acknowledgeIndex(place: AckPlace): boolean {
    const { ledgerId, entryId, batchIndex, batchSize } = place;
    const set = this.#setOf(ledgerId, entryId, Math.max(batchSize, batchIndex + 1));
    const before = set.dirty;
    set.acknowledge(batchIndex);
    if (set.complete) {
      this.#batches.delete(`${ledgerId}:${entryId}`);
      this.#last = undefined;
      this.#individual.push({ ledgerId, entryId });
      return true;
    }
    if (!this.#options.batchIndexAckEnabled || before === set.dirty) return false;
    this.#partial.push(set);
    return true;
  }

  #setOf(ledgerId: number, entryId: number, batchSize: number): AckSet {
    const last = this.#last;
    // the messages of a batch are mostly acknowledged one after the other
    if (last !== undefined && last.entryId === entryId && last.ledgerId === ledgerId) return last;
    const key = `${ledgerId}:${entryId}`;
    let set = this.#batches.get(key);
    if (set === undefined) {
      this.#makeRoom();
      set = new AckSet(ledgerId, entryId, batchSize);
      this.#batches.set(key, set);
    }
    this.#last = set;
    return set;
  }

  /**
   * Of a batch whose rest another consumer acknowledges, what is known here would stay for ever. The broker that keeps
   * parts of batches adds up what it is told, so the oldest may be forgotten once it was sent.
   */
  #makeRoom(): void {
    if (!this.#options.batchIndexAckEnabled || this.#batches.size < BATCHES_KEPT) return;
    for (const [key, set] of this.#batches) {
      if (set.dirty) continue;
      this.#batches.delete(key);
      if (this.#last === set) this.#last = undefined;
      return;
    }
  }

  #cumulativeId(place: AckPlace): MessageIdData {
    const { ledgerId, entryId, batchIndex, batchSize } = place;
    if (batchIndex < 0 || batchIndex >= batchSize - 1) return { ledgerId, entryId };
    // a batch that is not finished: tell the part where the broker keeps parts, else stay before the batch
    if (!this.#options.batchIndexAckEnabled) return { ledgerId, entryId: entryId - 1 };
    const set = new AckSet(ledgerId, entryId, batchSize);
    set.acknowledgeUpTo(batchIndex);
    return { ledgerId, entryId, batchIndex, batchSize, ackSet: set.toBits() };
  }

  #collected(): Promise<void> {
    const { groupTimeMs, groupSize, clock, receiptEnabled } = this.#options;
    if (receiptEnabled && this.#group === undefined) {
      this.#group = deferred();
      // an application that does not look at its acknowledgement's promise is not to be ended by it
      this.#group.promise.catch(ignoreFailure);
    }
    const promise = receiptEnabled ? (this.#group as Deferred<void>).promise : DONE;
    if (groupTimeMs === 0 || this.#individual.length >= groupSize) this.flush();
    else this.#timer ??= clock.setTimer(groupTimeMs, this.#onTimer);
    return promise;
  }

  readonly #onTimer = (): void => {
    this.#timer = undefined;
    this.flush();
  };

  #takeIndividual(): MessageIdData[] {
    const ids = this.#individual;
    this.#individual = [];
    for (const set of this.#partial) {
      if (set.complete) continue;
      set.dirty = false;
      ids.push({ ledgerId: set.ledgerId, entryId: set.entryId, ackSet: set.toBits() });
    }
    this.#partial = [];
    return ids;
  }

  #send(connection: Connection, ackType: CommandAck["ackType"], messageId: MessageIdData[]): Promise<unknown> {
    const { consumerId, topic, receiptEnabled } = this.#options;
    if (!receiptEnabled) {
      connection.send({ type: CommandType.ACK, body: { consumerId, ackType, messageId } });
      return DONE;
    }
    return connection.request(`an acknowledgement on ${topic}`, (requestId) => ({
      type: CommandType.ACK,
      body: { consumerId, ackType, messageId, requestId },
    }));
  }

  #closedError(): PulsarError {
    return new AlreadyClosedError(`the consumer of ${this.#options.topic} is closed`);
  }
}

function isLater(a: MessageIdData, b: MessageIdData): boolean {
  return (a.ledgerId - b.ledgerId || a.entryId - b.entryId || indexOrEnd(a) - indexOrEnd(b)) > 0;
}

/** An entry acknowledged whole is behind every part of it. */
function indexOrEnd(id: MessageIdData): number {
  return id.batchIndex ?? Number.MAX_SAFE_INTEGER;
}

function ignoreFailure(): void {
  // told by the promise of each acknowledgement
}
