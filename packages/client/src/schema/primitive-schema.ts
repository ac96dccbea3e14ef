import { describe } from "../check-options.ts";
import type { Schema } from "./schema.ts";
import type { SchemaTypeName } from "./schema-info.ts";

const NOTHING = new Uint8Array(0);

interface ByteForm<T> {
  encode(value: T): Uint8Array;
  decode(data: Uint8Array): T;
}

/** A schema that is its type and nothing more. `name` is what Pulsar's own clients register it as. */
export function primitive<T>(type: SchemaTypeName, name: string, form: ByteForm<T>): Schema<T> {
  return { info: { name, type, schema: NOTHING, properties: {} }, ...form };
}

interface FixedForm<T> {
  /** The value, or a throw where it cannot be written. */
  check(value: T): T;
  write(view: DataView, value: T): void;
  read(view: DataView): T;
}

/** Values that all take the same number of bytes, big-endian as Java has them. */
export function fixedSize<T>(type: SchemaTypeName, bytes: number, form: FixedForm<T>): ByteForm<T> {
  return {
    encode(value: T): Uint8Array {
      const checked = form.check(value);
      const data = new Uint8Array(bytes);
      form.write(new DataView(data.buffer), checked);
      return data;
    },
    decode(data: Uint8Array): T {
      if (data.length !== bytes) throw new RangeError(`${type} has ${bytes} bytes, not ${data.length}`);
      return form.read(new DataView(data.buffer, data.byteOffset, data.byteLength));
    },
  };
}

export function rangedNumber(type: SchemaTypeName, min: number, max: number): (value: number) => number {
  return (value) => {
    if (Number.isInteger(value) && value >= min && value <= max) return value;
    throw new TypeError(`${type} takes a whole number from ${min} to ${max}, not ${describe(value)}`);
  };
}
