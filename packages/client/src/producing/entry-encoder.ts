import { FRAME_PADDING } from "@pulsewire/protocol";
import type { Codec } from "@pulsewire/runtime";
import { PulsarError, toPulsarError } from "../errors.ts";
import type { PendingSend } from "./pending-send.ts";
import { buildFrame, type FrameSource } from "./send-frame.ts";
import type { SendQueue } from "./send-queue.ts";

export interface EntryEncoderOptions {
  readonly topic: string;
  readonly codec: Codec;
  readonly queue: SendQueue;
  /** What frames take of the producer as it is now. */
  source(): FrameSource;
  maxMessageSize(): number;
}

/** Makes the bytes of entries that are queued: compresses, frames, checks sizes. The queue keeps their order meanwhile. */
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
      if (body instanceof Promise) void this.#finishLater(send, body);
      else this.#finish(send, body);
    } catch (error) {
      queue.drop(send, toPulsarError(error));
    }
  }

  tooBig(bytes: number): PulsarError {
    const { topic } = this.#options;
    const detail = `a message of ${bytes} bytes for ${topic}, which takes at most ${this.#options.maxMessageSize()}`;
    return new PulsarError("MessageTooBig", detail);
  }

  async #finishLater(send: PendingSend, body: Promise<Uint8Array>): Promise<void> {
    try {
      this.#finish(send, await body);
    } catch (error) {
      if (send.state === "preparing") this.#options.queue.drop(send, toPulsarError(error));
    }
  }

  #finish(send: PendingSend, body: Uint8Array): void {
    const { queue } = this.#options;
    const maxMessageSize = this.#options.maxMessageSize();
    if (body.length > maxMessageSize) {
      queue.drop(send, this.tooBig(body.length));
      return;
    }
    buildFrame(send, body, this.#options.source());
    // keys and properties count too: the broker ends the connection over a frame it does not take
    const frameBytes = send.head.length + body.length;
    if (frameBytes > maxMessageSize + FRAME_PADDING) queue.drop(send, this.tooBig(frameBytes));
    queue.pump();
  }
}
