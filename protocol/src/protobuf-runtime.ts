import { Reader, type Writer } from "./protobufjs.ts";
import { ProtocolError } from "./protocol-error.ts";

/** A 64-bit word as two unsigned halves, for bit sets; every other 64-bit field is a number. */
export interface Bits64 {
  low: number;
  high: number;
}

/**
 * A 64-bit number kept exactly: a number where that is exact, which is nearly always, else a bigint. Requests are
 * numbered from a random start by some official clients, and applications choose sequence ids. Signed, as in Java.
 * The two kinds compare with `<` and `===` as expected, since no value has both forms.
 */
export type Int64 = number | bigint;

type RepeatedKeys<T> = { [K in keyof T]-?: NonNullable<T[K]> extends readonly unknown[] ? K : never }[keyof T];

/** A decoded message: its repeated fields are always there, empty when none came. */
export type Decoded<T> = Omit<T, RepeatedKeys<T>> & { [K in RepeatedKeys<T>]-?: NonNullable<T[K]> };

export type Mutable<T> = { -readonly [K in keyof T]: T[K] };

export const NONE: readonly never[] = Object.freeze([]);
export const EMPTY_BYTES: Uint8Array = new Uint8Array(0);

const TWO_32 = 4294967296;
const TWO_63 = 2 ** 63;
const LONG_MAX: Bits64 = { low: -1, high: 0x7fffffff };

/**
 * Reads a 64-bit varint as a signed number. Pulsar's 64-bit fields are Java longs: -1 travels as 2^64 - 1, and
 * `MessageId.latest` is 2^63 - 1, which rounds to 2^63 here and is written back as 2^63 - 1. Every other value that
 * occurs is below 2^53 and exact.
 */
export function readInt64(r: Reader): number {
  const buf = r.buf;
  let pos = r.pos;
  let byte = buf[pos++] as number;
  // r.len bounds the buffer the reader may touch; beyond it buf gives undefined and the comparison below fails
  if (byte < 128 && pos <= r.len) {
    r.pos = pos;
    return byte;
  }
  let low = byte & 127;
  let high = 0;
  for (let shift = 7; byte >= 128; shift += 7) {
    if (pos >= r.len) throw overrun();
    if (shift > 63) throw new ProtocolError("InvalidVarint", "a varint longer than 10 bytes");
    byte = buf[pos++] as number;
    const bits = byte & 127;
    if (shift < 28) low |= bits << shift;
    else if (shift === 28) {
      low |= bits << 28;
      high |= bits >>> 4;
    } else high |= bits << (shift - 32);
  }
  if (pos > r.len) throw overrun();
  r.pos = pos;
  return (high | 0) * TWO_32 + (low >>> 0);
}

/** Reads a 64-bit varint as two halves, exactly. */
export function readBits64(r: Reader): Bits64 {
  let low = 0;
  let high = 0;
  for (let shift = 0; ; shift += 7) {
    if (r.pos >= r.len) throw overrun();
    if (shift > 63) throw new ProtocolError("InvalidVarint", "a varint longer than 10 bytes");
    const byte = r.buf[r.pos++] as number;
    const bits = byte & 127;
    if (shift < 28) low |= bits << shift;
    else if (shift === 28) {
      low |= bits << 28;
      high |= bits >>> 4;
    } else high |= bits << (shift - 32);
    if (byte < 128) return { low: low >>> 0, high: high >>> 0 };
  }
}

/** Reads a 64-bit varint as a signed number, exactly. */
export function readExact64(r: Reader): Int64 {
  const start = r.pos;
  const value = readInt64(r);
  if (Number.isSafeInteger(value)) return value;
  r.pos = start;
  const { low, high } = readBits64(r);
  return BigInt.asIntN(64, (BigInt(high) << 32n) | BigInt(low));
}

/** Writes what `readExact64` reads. */
export function writeExact64(w: Writer, value: Int64): Writer {
  if (typeof value === "number") return writeInt64(w, value);
  const bits = BigInt.asUintN(64, value);
  return w.uint64({ low: Number(bits & 0xffffffffn), high: Number(bits >> 32n) } as never);
}

/** Writes a number as a 64-bit varint, two's complement when negative, at most 2^63 - 1. */
export function writeInt64(w: Writer, value: number): Writer {
  if (value >= 0 && value < TWO_32) return w.uint32(value);
  if (value >= TWO_63) return w.uint64(LONG_MAX as never);
  const high = Math.floor(value / TWO_32);
  return w.uint64({ low: (value - high * TWO_32) >>> 0, high: high | 0 } as never);
}

export function endOf(r: Reader, length: number): number {
  const end = r.pos + length;
  if (end > r.len) throw overrun();
  return end;
}

export function expectWireType(tag: number, wireType: number): void {
  if ((tag & 7) !== wireType) {
    throw new ProtocolError("InvalidMessage", `field ${tag >>> 3} has wire type ${tag & 7}, expected ${wireType}`);
  }
}

export function overrun(): ProtocolError {
  return new ProtocolError("Truncated", "a message ends before its declared length");
}

export function missingField(message: string, names: readonly string[], seen: number): ProtocolError {
  const missing = names.filter((_, i) => (seen & (1 << i)) === 0);
  return new ProtocolError("InvalidMessage", `${message} lacks ${missing.join(", ")}`);
}

export function unknownCommand(type: number, bodyType: number): ProtocolError {
  return bodyType === 0
    ? new ProtocolError("UnknownCommand", `unknown command type ${type}`)
    : new ProtocolError("UnknownCommand", `command type ${type} with the body of ${bodyType}`);
}

/** Decodes one message from bytes, with every failure as a ProtocolError. */
export function decodeMessage<T>(decode: (r: Reader, length?: number) => T, bytes: Uint8Array): T {
  try {
    return decode(Reader.create(bytes));
  } catch (error) {
    throw ProtocolError.from(error);
  }
}
