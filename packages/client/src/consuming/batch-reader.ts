import { type Decoded, decodeBatch, ProtocolError, type SingleMessageMetadata } from "@pulsewire/protocol";

/** Where the next message of a batch is, as `BatchReader.next` left it. */
export class BatchReader {
  readonly #batch: Uint8Array;
  #position = 0;
  metadataStart = 0;
  metadataEnd = 0;
  payloadEnd = 0;
  compactedOut = false;

  constructor(batch: Uint8Array) {
    this.#batch = batch;
  }

  /**
   * Steps to the next message: reads the size of its payload and whether compaction took it out, and nothing else of
   * its metadata. Throws a ProtocolError on a batch that is broken.
   */
  next(): void {
    const batch = this.#batch;
    const start = this.#position + 4;
    if (start > batch.length) throw cutOff();
    const at = this.#position;
    const size =
      (((batch[at] as number) << 24) |
        ((batch[at + 1] as number) << 16) |
        ((batch[at + 2] as number) << 8) |
        (batch[at + 3] as number)) >>>
      0;
    const end = start + size;
    if (end > batch.length) throw cutOff();
    this.metadataStart = start;
    this.metadataEnd = end;
    this.payloadEnd = end + this.#scan(start, end);
    if (this.payloadEnd > batch.length) throw cutOff();
    this.#position = this.payloadEnd;
  }

  /** The size of the payload, from the fields of a SingleMessageMetadata. */
  #scan(start: number, end: number): number {
    let payloadSize = -1;
    this.compactedOut = false;
    this.#position = start;
    while (this.#position < end) {
      const tag = this.#varint(end);
      switch (tag & 7) {
        case 0: {
          const value = this.#varint(end);
          if (tag === 24) payloadSize = value;
          else if (tag === 32) this.compactedOut = value !== 0;
          break;
        }
        case 1:
          this.#position += 8;
          break;
        case 2: {
          const length = this.#varint(end);
          this.#position += length;
          break;
        }
        case 5:
          this.#position += 4;
          break;
        default:
          throw new ProtocolError("InvalidMessage", `a batched message has a field with the tag ${tag}`);
      }
    }
    if (this.#position > end) throw cutOff();
    if (payloadSize < 0) throw new ProtocolError("InvalidMessage", "a batched message without the size of its payload");
    return payloadSize;
  }

  #varint(end: number): number {
    const batch = this.#batch;
    let value = 0;
    let scale = 1;
    for (;;) {
      if (this.#position >= end) throw cutOff();
      const byte = batch[this.#position++] as number;
      value += (byte & 127) * scale;
      if (byte < 128) return value;
      scale *= 128;
    }
  }
}

function cutOff(): ProtocolError {
  return new ProtocolError("Truncated", "a batch ends inside one of its messages");
}

/** All of one message's metadata, where a BatchReader found it. */
export function readBatchedMetadata(batch: Uint8Array, start: number): Decoded<SingleMessageMetadata> {
  // the decoder takes a batch of one: the size before the metadata, and a payload behind it that is not looked at
  const [message] = decodeBatch(batch.subarray(start - 4), 1);
  if (message === undefined) throw cutOff();
  return message.metadata;
}
