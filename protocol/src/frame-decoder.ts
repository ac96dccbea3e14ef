import { type Command, decodeCommand } from "../gen/pulsar-api.ts";
import { FRAME_PADDING, MAX_MESSAGE_SIZE_DEFAULT } from "./limits.ts";
import { Reader } from "./protobufjs.ts";
import { ProtocolError } from "./protocol-error.ts";

/** Where decoded frames go. */
export interface FrameSink {
  /**
   * One whole frame. `entry` is what follows the command (checksum, metadata, payload), a view of the bytes that
   * came in: it may be kept, and must not be written to.
   */
  onFrame(command: Command, entry: Uint8Array | undefined): void;
}

export interface FrameDecoderOptions {
  /** The largest `totalSize` accepted, in bytes. Default: 5 MiB and the 10 KiB Pulsar allows beside a message. */
  frameSizeBytesMax?: number;
}

function readUint32(bytes: Uint8Array, offset: number): number {
  return (
    (((bytes[offset] as number) << 24) |
      ((bytes[offset + 1] as number) << 16) |
      ((bytes[offset + 2] as number) << 8) |
      (bytes[offset + 3] as number)) >>>
    0
  );
}

/**
 * Cuts a stream of bytes, split anywhere, into frames. A frame inside one chunk is a view of it; one that spans
 * chunks is put together once, when it is complete, so that a length that lies costs no memory.
 * `push` throws a ProtocolError on bytes that are no frame; the stream cannot be used after that.
 */
export class FrameDecoder {
  readonly #sink: FrameSink;
  #frameSizeBytesMax: number;
  #parts: Uint8Array[] = [];
  #bufferedBytes = 0;
  #wantedBytes = 4;

  constructor(sink: FrameSink, options: FrameDecoderOptions = {}) {
    this.#sink = sink;
    this.#frameSizeBytesMax = options.frameSizeBytesMax ?? MAX_MESSAGE_SIZE_DEFAULT + FRAME_PADDING;
  }

  /** Bytes held of a frame that is not whole yet. */
  get bufferedBytes(): number {
    return this.#bufferedBytes;
  }

  /** Changes the largest `totalSize` accepted, once the peer has told its `max_message_size`. */
  set frameSizeBytesMax(value: number) {
    this.#frameSizeBytesMax = value;
  }

  push(chunk: Uint8Array): void {
    let offset = 0;
    while (this.#bufferedBytes > 0) {
      // completes first the four bytes that tell the size, then the frame: never more is copied than that frame
      const missing = this.#wantedBytes - this.#bufferedBytes;
      const end = Math.min(offset + missing, chunk.length);
      if (end > offset) {
        this.#parts.push(chunk.subarray(offset, end));
        this.#bufferedBytes += end - offset;
        offset = end;
      }
      if (this.#bufferedBytes < this.#wantedBytes) return;
      this.#cut(this.#joined());
    }
    if (offset < chunk.length) this.#cut(offset === 0 ? chunk : chunk.subarray(offset));
  }

  #joined(): Uint8Array {
    const [only] = this.#parts;
    let all = only as Uint8Array;
    if (this.#parts.length > 1) {
      all = new Uint8Array(this.#bufferedBytes);
      let offset = 0;
      for (const part of this.#parts) {
        all.set(part, offset);
        offset += part.length;
      }
    }
    this.#parts = [];
    this.#bufferedBytes = 0;
    return all;
  }

  #cut(bytes: Uint8Array): void {
    const reader = Reader.create(bytes);
    let offset = 0;
    while (bytes.length - offset >= 4) {
      const size = 4 + this.#checked(readUint32(bytes, offset));
      if (offset + size > bytes.length) {
        this.#keep(bytes, offset, size);
        return;
      }
      this.#frame(bytes, reader, offset + 4, offset + size);
      offset += size;
    }
    if (offset < bytes.length) this.#keep(bytes, offset, 4);
  }

  #checked(totalSize: number): number {
    if (totalSize > this.#frameSizeBytesMax) {
      throw new ProtocolError("FrameTooLarge", `a frame of ${totalSize} bytes, at most ${this.#frameSizeBytesMax}`);
    }
    if (totalSize < 4) throw new ProtocolError("InvalidFrame", `a frame of ${totalSize} bytes`);
    return totalSize;
  }

  #keep(bytes: Uint8Array, offset: number, wantedBytes: number): void {
    const rest = offset === 0 ? bytes : bytes.subarray(offset);
    this.#parts = [rest];
    this.#bufferedBytes = rest.length;
    this.#wantedBytes = wantedBytes;
  }

  #frame(bytes: Uint8Array, reader: Reader, start: number, end: number): void {
    const commandSize = readUint32(bytes, start);
    const commandEnd = start + 4 + commandSize;
    if (commandEnd > end)
      throw new ProtocolError("InvalidFrame", `a command of ${commandSize} bytes in a shorter frame`);
    reader.pos = start + 4;
    reader.len = commandEnd;
    let command: Command;
    try {
      command = decodeCommand(reader);
    } catch (error) {
      throw ProtocolError.from(error);
    }
    this.#sink.onFrame(command, commandEnd === end ? undefined : bytes.subarray(commandEnd, end));
  }
}
