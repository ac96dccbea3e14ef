import { FRAME_PADDING } from "@pulsewire/protocol";
import type { Codec } from "@pulsewire/runtime";
import type { EntryEncryptor, Sealed } from "../crypto/entry-encryptor.ts";
import { PulsarError, toPulsarError } from "../errors.ts";
import type { Frame, PendingSend } from "./pending-send.ts";
import { type ChunkPart, type FrameSource, frameHead } from "./send-frame.ts";
import type { SendQueue } from "./send-queue.ts";

export interface EntryEncoderOptions {
  readonly topic: string;
  readonly codec: Codec;
  readonly queue: SendQueue;
  /** Undefined: a message that is too large is refused. 0: chunks are as large as the broker takes. */
  readonly chunkBytesMax: number | undefined;
  /** Whether an entry that cannot be encrypted goes as it is. */
  readonly unencryptedIfFailed: boolean;
  /** What frames take of the producer as it is now. */
  source(): FrameSource;
  maxMessageSize(): number;
  /** There where entries are to be encrypted. */
  encryptor(): EntryEncryptor | undefined;
}

/**
 * Makes the bytes of entries that are queued: compresses, cuts into chunks, encrypts, frames, checks sizes. The queue keeps
 * their order meanwhile.
 */
export class EntryEncoder {
  readonly #options: EntryEncoderOptions;

  constructor(options: EntryEncoderOptions) {
    this.#options = options;
  }

  /** Queues an entry, and has it written as soon as its bytes are there. */
  send(send: PendingSend): void {
    const { codec, queue } = this.#options;
    const { compression } = this.#options.source();
    queue.push(send);
    try {
      const body = compression === "NONE" ? send.payload : codec.compress(compression, send.payload);
      if (body instanceof Promise) this.#later(send, body);
      else this.#cut(send, body);
    } catch (error) {
      queue.drop(send, toPulsarError(error));
    }
  }

  tooBig(bytes: number): PulsarError {
    const { topic } = this.#options;
    const detail = `a message of ${bytes} bytes for ${topic}, which takes at most ${this.#options.maxMessageSize()}`;
    return new PulsarError("MessageTooBig", detail);
  }

  #later(send: PendingSend, body: Promise<Uint8Array>): void {
    body
      .then((bytes) => this.#cut(send, bytes))
      .catch((error) => {
        if (send.state === "preparing") this.#options.queue.drop(send, toPulsarError(error));
      });
  }

  /** What was dropped or timed out meanwhile costs nothing more. */
  #cut(send: PendingSend, body: Uint8Array): void {
    if (send.state !== "preparing") return;
    const maxMessageSize = this.#options.maxMessageSize();
    const chunkBytes = this.#chunkBytes(send);
    // one message alone can be cut, a batch cannot
    if (chunkBytes !== undefined && body.length > chunkBytes) this.#seal(send, body, chunkBytes);
    else if (body.length > maxMessageSize) this.#options.queue.drop(send, this.tooBig(body.length));
    else this.#seal(send, body, body.length);
  }

  /** How much of a message one chunk holds, or undefined where it is not to be cut. */
  #chunkBytes(send: PendingSend): number | undefined {
    const { chunkBytesMax } = this.#options;
    if (chunkBytesMax === undefined || send.single === undefined) return undefined;
    const room = this.#options.maxMessageSize() - this.#overhead(send);
    // keys and properties alone are too much: it is refused by its size
    if (room <= 0) return undefined;
    return chunkBytesMax === 0 ? room : Math.min(chunkBytesMax, room);
  }

  /** About what a chunk's frame takes beside its part of the payload, in bytes. */
  #overhead(send: PendingSend): number {
    const source = this.#options.source();
    const huge = 0x7fffffff;
    const part = { uuid: chunkUuid(send, source), index: huge, count: huge, totalBytes: huge };
    const seal = this.#options.encryptor()?.largestSeal;
    return frameHead(send, NOTHING, source, part, seal).length + (seal === undefined ? 0 : TAG_BYTES);
  }

  #seal(send: PendingSend, body: Uint8Array, pieceBytes: number): void {
    const encryptor = this.#options.encryptor();
    if (encryptor === undefined) {
      this.#finish(send, body, pieceBytes, undefined);
      return;
    }
    let sealed: Sealed[] | Promise<Sealed[]>;
    try {
      sealed = encryptor.seal(pieces(body, pieceBytes));
    } catch (error) {
      this.#sealFailed(send, body, pieceBytes, error);
      return;
    }
    if (Array.isArray(sealed)) {
      this.#finish(send, body, pieceBytes, sealed);
      return;
    }
    sealed
      .then(
        (done) => this.#finish(send, body, pieceBytes, done),
        (error) => this.#sealFailed(send, body, pieceBytes, error),
      )
      .catch((error) => {
        if (send.state === "preparing") this.#options.queue.drop(send, toPulsarError(error));
      });
  }

  #sealFailed(send: PendingSend, body: Uint8Array, pieceBytes: number, error: unknown): void {
    if (this.#options.unencryptedIfFailed) this.#finish(send, body, pieceBytes, undefined);
    else if (send.state === "preparing") this.#options.queue.drop(send, this.#cryptoError(error));
  }

  #cryptoError(error: unknown): PulsarError {
    if (error instanceof PulsarError) return error;
    const detail = `${this.#options.topic}: a message cannot be encrypted, ${String(error)}`;
    return new PulsarError("CryptoError", detail, { cause: error });
  }

  #finish(send: PendingSend, body: Uint8Array, pieceBytes: number, sealed: readonly Sealed[] | undefined): void {
    if (send.state !== "preparing") return;
    const { queue } = this.#options;
    const source = this.#options.source();
    if (body.length <= pieceBytes) {
      const bytes = sealed?.[0]?.bytes ?? body;
      send.head = frameHead(send, bytes, source, undefined, sealed?.[0]?.seal);
      send.body = bytes;
    } else {
      send.chunks = this.#chunkFrames(send, body, pieceBytes, sealed);
    }
    send.state = "ready";
    // keys and properties count too: the broker ends the connection over a frame it does not take
    const frameBytes = send.head.length + send.body.length;
    if (frameBytes > this.#options.maxMessageSize() + FRAME_PADDING) queue.drop(send, this.tooBig(frameBytes));
    queue.pump();
  }

  #chunkFrames(
    send: PendingSend,
    body: Uint8Array,
    pieceBytes: number,
    sealed: readonly Sealed[] | undefined,
  ): Frame[] {
    const source = this.#options.source();
    const cut = pieces(body, pieceBytes);
    const uuid = chunkUuid(send, source);
    return cut.map((piece, index) => {
      const part: ChunkPart = { uuid, index, count: cut.length, totalBytes: body.length };
      const bytes = sealed?.[index]?.bytes ?? piece;
      return { head: frameHead(send, bytes, source, part, sealed?.[index]?.seal), body: bytes };
    });
  }
}

const NOTHING = new Uint8Array(0);
/** What AES-GCM adds. */
const TAG_BYTES = 16;

/** Tells the chunks of one message from those of others; a producer's name is its own on the topic. */
function chunkUuid(send: PendingSend, source: FrameSource): string {
  return `${source.producerName}-${send.sequenceId}`;
}

function pieces(body: Uint8Array, pieceBytes: number): Uint8Array[] {
  const cut: Uint8Array[] = [];
  for (let from = 0; from < body.length || from === 0; from += Math.max(1, pieceBytes)) {
    cut.push(body.subarray(from, from + pieceBytes));
  }
  return cut;
}
