import { type Command, FrameDecoder } from "@pulsewire/protocol";

/** One frame: its bytes as they came, and the command in it. */
export interface Frame {
  readonly bytes: Uint8Array;
  readonly command: Command;
}

/** Cuts a stream of bytes into frames and keeps the bytes of each. */
export class FrameStream {
  readonly #onFrame: (frame: Frame) => void;
  #held: Buffer = Buffer.alloc(0);

  constructor(onFrame: (frame: Frame) => void) {
    this.#onFrame = onFrame;
  }

  push(chunk: Buffer): void {
    this.#held = this.#held.length === 0 ? chunk : Buffer.concat([this.#held, chunk]);
    while (this.#held.length >= 4) {
      const size = this.#held.readUInt32BE(0) + 4;
      if (this.#held.length < size) return;
      const bytes = this.#held.subarray(0, size);
      this.#held = this.#held.subarray(size);
      this.#onFrame({ bytes, command: commandOf(bytes) });
    }
  }
}

function commandOf(bytes: Uint8Array): Command {
  let found: Command | undefined;
  new FrameDecoder({ onFrame: (command) => (found = command) }).push(bytes);
  if (found === undefined) throw new Error(`no command in a frame of ${bytes.length} bytes`);
  return found;
}
