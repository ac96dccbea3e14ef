import { FrameDecoder, type FrameSink } from "@pulsewire/protocol";

const HEAD_BYTES = 8;

/** Cuts a stream into frames, and reads their commands only: payloads are passed over by their size, never copied. */
export class FrameSkimmer {
  readonly #decoder: FrameDecoder;
  /** The begin of a frame whose command is not whole yet. */
  #head = new Uint8Array(0);
  #skipBytes = 0;

  constructor(onCommand: FrameSink["onFrame"]) {
    this.#decoder = new FrameDecoder({ onFrame: onCommand });
  }

  push(chunk: Uint8Array): void {
    let rest = chunk;
    for (;;) {
      const skipped = Math.min(this.#skipBytes, rest.length);
      this.#skipBytes -= skipped;
      rest = rest.subarray(skipped);
      if (rest.length === 0) return;
      if (this.#head.length > 0) rest = this.#joined(rest);
      const taken = this.#take(rest);
      if (taken === 0) {
        this.#head = new Uint8Array(rest);
        return;
      }
      rest = rest.subarray(taken);
    }
  }

  #joined(rest: Uint8Array): Uint8Array {
    const joined = new Uint8Array(this.#head.length + rest.length);
    joined.set(this.#head);
    joined.set(rest, this.#head.length);
    this.#head = new Uint8Array(0);
    return joined;
  }

  /** Takes one frame's command and answers its size; 0 while it is not whole. */
  #take(bytes: Uint8Array): number {
    if (bytes.length < HEAD_BYTES) return 0;
    const view = new DataView(bytes.buffer, bytes.byteOffset);
    const end = HEAD_BYTES + view.getUint32(4);
    if (bytes.length < end) return 0;
    this.#skipBytes = view.getUint32(0) + 4 - end;
    // the command alone is a frame too, once its size says so
    const command = new Uint8Array(bytes.subarray(0, end));
    new DataView(command.buffer).setUint32(0, end - 4);
    this.#decoder.push(command);
    return end;
  }
}
