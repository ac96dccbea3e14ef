import { type ProducerMessage, wireKey } from "./producer-message.ts";

const utf8 = new TextEncoder();
/** What the fields of one message's metadata take beside its texts, in bytes, at most. */
const FIXED_FIELDS_BYTES = 64;
const TWO_7 = 128;
const TWO_28 = 268_435_456;

/**
 * Writes messages of a batch straight into one growing buffer: `metadataSize u32, SingleMessageMetadata, payload` each.
 * The buffer is handed out by `finish` and belongs to the caller then.
 */
export class BatchWriter {
  #bytes: Uint8Array;
  #position = 0;

  /** `expectedBytes` saves growing where it is right. */
  constructor(expectedBytes: number) {
    this.#bytes = new Uint8Array(Math.max(256, expectedBytes));
  }

  get length(): number {
    return this.#position;
  }

  append(message: ProducerMessage, payload: Uint8Array, sequenceId: number): void {
    this.#reserve(sizeBound(message) + payload.length);
    const start = this.#position;
    this.#position += 4;
    this.#metadata(message, payload.length, sequenceId);
    const size = this.#position - start - 4;
    const bytes = this.#bytes;
    bytes[start] = size >>> 24;
    bytes[start + 1] = size >>> 16;
    bytes[start + 2] = size >>> 8;
    bytes[start + 3] = size;
    bytes.set(payload, this.#position);
    this.#position += payload.length;
  }

  /** The batch, as a view of the buffer. Nothing may be appended afterwards. */
  finish(): Uint8Array {
    return this.#bytes.subarray(0, this.#position);
  }

  #metadata(message: ProducerMessage, payloadSize: number, sequenceId: number): void {
    const { properties, key, orderingKey, eventTime } = message;
    if (properties !== undefined) for (const name in properties) this.#property(name, properties[name] as string);
    let base64 = false;
    if (key !== undefined) {
      const wire = wireKey(key);
      base64 = wire.base64;
      this.#text(18, wire.text);
    }
    this.#byte(24);
    this.#varint(payloadSize);
    if (eventTime !== undefined) {
      this.#byte(40);
      this.#varint(eventTime);
    }
    if (base64) this.#flag(48);
    if (orderingKey !== undefined) this.#bytesOrText(58, orderingKey);
    this.#byte(64);
    this.#varint(sequenceId);
    if (message.data === null) this.#flag(72);
  }

  #property(name: string, value: string): void {
    this.#byte(10);
    // the length of the pair comes before it and is not known yet; two bytes hold it where three are never needed
    const at = this.#position;
    const wide = (name.length + value.length) * 3 + 12 >= TWO_7;
    this.#position += wide ? 5 : 1;
    const start = this.#position;
    this.#text(10, name);
    this.#text(18, value);
    const length = this.#position - start;
    if (!wide) this.#bytes[at] = length;
    else this.#shiftedLength(at, start, length);
  }

  /** Writes a length into the five bytes kept for it, and moves what follows up to it. */
  #shiftedLength(at: number, start: number, length: number): void {
    const end = this.#position;
    this.#position = at;
    this.#varint(length);
    this.#bytes.copyWithin(this.#position, start, end);
    this.#position += length;
  }

  #bytesOrText(tag: number, value: string | Uint8Array): void {
    if (typeof value === "string") {
      this.#text(tag, value);
      return;
    }
    this.#byte(tag);
    this.#varint(value.length);
    this.#bytes.set(value, this.#position);
    this.#position += value.length;
  }

  #text(tag: number, value: string): void {
    this.#byte(tag);
    if (value.length < TWO_7 && this.#shortAscii(value)) return;
    const encoded = utf8.encode(value);
    this.#varint(encoded.length);
    this.#bytes.set(encoded, this.#position);
    this.#position += encoded.length;
  }

  /** Writes a text of fewer than 128 characters if all are ASCII, else nothing. */
  #shortAscii(value: string): boolean {
    const bytes = this.#bytes;
    let position = this.#position;
    bytes[position++] = value.length;
    for (let i = 0; i < value.length; i++) {
      const c = value.charCodeAt(i);
      if (c >= TWO_7) return false;
      bytes[position++] = c;
    }
    this.#position = position;
    return true;
  }

  #flag(tag: number): void {
    this.#byte(tag);
    this.#byte(1);
  }

  #byte(value: number): void {
    this.#bytes[this.#position++] = value;
  }

  /** A whole number from 0 to 2^53. */
  #varint(value: number): void {
    const bytes = this.#bytes;
    let position = this.#position;
    let rest = value;
    while (rest >= TWO_28) {
      bytes[position++] = (rest % TWO_7) | TWO_7;
      rest = Math.floor(rest / TWO_7);
    }
    while (rest >= TWO_7) {
      bytes[position++] = (rest & 127) | TWO_7;
      rest >>>= 7;
    }
    bytes[position++] = rest;
    this.#position = position;
  }

  #reserve(bytes: number): void {
    const needed = this.#position + bytes;
    if (needed <= this.#bytes.length) return;
    const bigger = new Uint8Array(Math.max(needed, this.#bytes.length * 2));
    bigger.set(this.#bytes.subarray(0, this.#position));
    this.#bytes = bigger;
  }
}

/** An upper bound of what a message takes beside its payload, in bytes. UTF-8 has at most three bytes a UTF-16 unit. */
export function sizeBound(message: ProducerMessage): number {
  const { properties, key, orderingKey } = message;
  let size = FIXED_FIELDS_BYTES;
  if (key !== undefined) size += key.length * 3 + 8;
  if (orderingKey !== undefined) size += orderingKey.length * 3 + 8;
  if (properties === undefined) return size;
  for (const name in properties) size += (name.length + (properties[name] as string).length) * 3 + 24;
  return size;
}
