import type { Decoded, MessageMetadata } from "@pulsewire/protocol";
import type { Clock } from "@pulsewire/runtime";
import type { ChunkPlace } from "../message-id.ts";
import { DelayQueue } from "./delay-queue.ts";
import { type ReceivedEntry, UNCOMPRESSED_BYTES_MAX } from "./entry-reader.ts";
import type { ResolvedConsumerPayloadOptions } from "./payload-options.ts";

export interface ChunkAssemblerOptions {
  readonly clock: Clock;
  readonly options: ResolvedConsumerPayloadOptions;
  /** Chunks that nobody needs any more. */
  acknowledge(places: readonly ChunkPlace[]): void;
  /** A chunk came without the rest of its message. Answers whether it will be delivered again, with the rest. */
  giveUp(place: ChunkPlace): boolean;
  log(text: string): void;
}

/** A chunked message of which not all has come. */
interface Incomplete {
  readonly uuid: string;
  readonly places: ChunkPlace[];
  readonly parts: Uint8Array[];
  bytes: number;
}

/** A message put together: the entry of its last chunk, and the whole payload. */
export interface Assembled {
  readonly entry: ReceivedEntry;
  readonly payload: Uint8Array;
}

/**
 * Puts chunked messages of one partition together. Chunks of one message come in order; those of several producers come
 * mixed. What a producer sent twice, or a broker delivers again, is told by the chunk's number and place:
 *
 * - number 0 again: the producer began anew, or the broker delivers again from the start; the new one counts;
 * - a number that was there: at the same place it is the same chunk, at another a copy, which is acknowledged;
 * - a number that is too high: what is between is missing, so what is there is given up.
 */
export class ChunkAssembler {
  readonly #options: ChunkAssemblerOptions;
  /** Oldest first. */
  readonly #incomplete = new Map<string, Incomplete>();
  readonly #expiring: DelayQueue<Incomplete>;

  constructor(options: ChunkAssemblerOptions) {
    this.#options = options;
    this.#expiring = new DelayQueue(options.clock, (due) => this.#expire(due));
  }

  /** Takes one chunk; answers the message, where it was its last. */
  add(entry: ReceivedEntry, payload: Uint8Array): Assembled | undefined {
    const { metadata } = entry.parsed;
    const { uuid = "", chunkId = 0, numChunksFromMsg = 0, totalChunkMsgSize = 0 } = metadata;
    const place = { ledgerId: entry.command.messageId.ledgerId, entryId: entry.command.messageId.entryId };
    const message = chunkId === 0 ? this.#begin(uuid, place) : this.#incomplete.get(uuid);
    if (message === undefined) {
      this.#orphan(metadata, [place]);
      return undefined;
    }
    if (chunkId < message.places.length) {
      if (!isAmong(place, message.places)) this.#options.acknowledge([place]);
      return undefined;
    }
    message.bytes += payload.length;
    if (chunkId > message.places.length || message.bytes > Math.min(totalChunkMsgSize, UNCOMPRESSED_BYTES_MAX)) {
      this.#remove(message);
      this.#orphan(metadata, [...message.places, place]);
      return undefined;
    }
    message.places.push(place);
    message.parts.push(payload);
    if (message.places.length < numChunksFromMsg) return undefined;
    this.#remove(message);
    return { entry: { ...entry, chunks: message.places }, payload: joined(message) };
  }

  /** Forgets everything: it is delivered again, or is not wanted any more. */
  clear(): void {
    this.#incomplete.clear();
    this.#expiring.clear();
  }

  #begin(uuid: string, place: ChunkPlace): Incomplete {
    const { options, acknowledge } = this.#options;
    const before = this.#incomplete.get(uuid);
    if (before !== undefined) {
      this.#remove(before);
      if (!isAmong(place, before.places)) acknowledge(before.places);
    }
    const limit = options.maxPendingChunkedMessage;
    if (limit > 0 && this.#incomplete.size >= limit) this.#dropOldest();
    const message: Incomplete = { uuid, places: [], parts: [], bytes: 0 };
    this.#incomplete.set(uuid, message);
    const expireMs = options.expireTimeOfIncompleteChunkedMessageMs;
    if (expireMs > 0) this.#expiring.add(uuid, expireMs, message);
    return message;
  }

  #remove(message: Incomplete): void {
    this.#incomplete.delete(message.uuid);
    this.#expiring.delete(message.uuid);
  }

  #dropOldest(): void {
    const [oldest] = this.#incomplete.values();
    if (oldest === undefined) return;
    this.#remove(oldest);
    const { options, acknowledge, log } = this.#options;
    log(`giving up ${oldest.places.length} chunks of ${oldest.uuid}: maxPendingChunkedMessage is reached`);
    if (options.autoAckOldestChunkedMessageOnQueueFull) acknowledge(oldest.places);
    else this.#giveUp(oldest.uuid, oldest.places);
  }

  #expire(due: readonly Incomplete[]): void {
    for (const message of due) {
      if (this.#incomplete.get(message.uuid) === message) this.#incomplete.delete(message.uuid);
      this.#options.log(
        `acknowledging ${message.places.length} chunks of ${message.uuid}: the rest did not come in time`,
      );
      this.#options.acknowledge(message.places);
    }
  }

  /** Chunks whose beginning is missing: what is older than the time to wait will not be completed. */
  #orphan(metadata: Decoded<MessageMetadata>, places: readonly ChunkPlace[]): void {
    const { clock, options, acknowledge, log } = this.#options;
    const expireMs = options.expireTimeOfIncompleteChunkedMessageMs;
    const late = expireMs > 0 && metadata.publishTime + expireMs < clock.now();
    log(`chunk ${metadata.chunkId} of ${metadata.uuid} came without those before it${late ? ", too late" : ""}`);
    if (late) acknowledge(places);
    else this.#giveUp(metadata.uuid ?? "", places);
  }

  /** What is not delivered again is acknowledged when its time is over: it would keep the subscription back for ever. */
  #giveUp(uuid: string, places: readonly ChunkPlace[]): void {
    const left = places.filter((place) => !this.#options.giveUp(place));
    const expireMs = this.#options.options.expireTimeOfIncompleteChunkedMessageMs;
    if (left.length === 0 || expireMs === 0) return;
    const key = `${uuid}:${left[0]?.ledgerId}:${left[0]?.entryId}`;
    this.#expiring.add(key, expireMs, { uuid, places: left, parts: [], bytes: 0 });
  }
}

/** Whether an entry is one of several chunks of a message. */
export function isChunk(metadata: Decoded<MessageMetadata>): boolean {
  return metadata.numChunksFromMsg !== undefined && metadata.numChunksFromMsg > 1 && metadata.uuid !== undefined;
}

function isAmong(place: ChunkPlace, places: readonly ChunkPlace[]): boolean {
  return places.some((p) => p.entryId === place.entryId && p.ledgerId === place.ledgerId);
}

function joined(message: Incomplete): Uint8Array {
  const whole = new Uint8Array(message.bytes);
  let at = 0;
  for (const part of message.parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
