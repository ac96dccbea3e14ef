import { describe } from "../check-options.ts";
import { fixedSize, primitive, rangedNumber } from "./primitive-schema.ts";
import type { Schema } from "./schema.ts";

const utf8 = new TextEncoder();
const strictUtf8 = new TextDecoder("utf-8", { fatal: true });

/** Bytes as they are. Registers nothing; what a producer or a consumer without a schema has. */
export function bytesSchema(): Schema<Uint8Array> {
  return {
    info: undefined,
    encode(value: Uint8Array): Uint8Array {
      if (value instanceof Uint8Array) return value;
      throw new TypeError(`BYTES takes a Uint8Array, not ${describe(value)}`);
    },
    decode: (data) => data,
  };
}

/** Text, as UTF-8. */
export function stringSchema(): Schema<string> {
  return primitive("STRING", "String", {
    encode(value: string): Uint8Array {
      if (typeof value === "string") return utf8.encode(value);
      throw new TypeError(`STRING takes a text, not ${describe(value)}`);
    },
    decode: (data) => strictUtf8.decode(data),
  });
}

/** One byte, 0 or 1. */
export function booleanSchema(): Schema<boolean> {
  return primitive(
    "BOOLEAN",
    "Boolean",
    fixedSize("BOOLEAN", 1, {
      check(value: boolean): boolean {
        if (typeof value === "boolean") return value;
        throw new TypeError(`BOOLEAN takes true or false, not ${describe(value)}`);
      },
      write: (view, value) => view.setUint8(0, value ? 1 : 0),
      read: (view) => view.getUint8(0) !== 0,
    }),
  );
}

/** A whole number from -128 to 127. */
export function int8Schema(): Schema<number> {
  return primitive(
    "INT8",
    "INT8",
    fixedSize("INT8", 1, {
      check: rangedNumber("INT8", -128, 127),
      write: (view, value) => view.setInt8(0, value),
      read: (view) => view.getInt8(0),
    }),
  );
}

/** A whole number from -32,768 to 32,767. */
export function int16Schema(): Schema<number> {
  return primitive(
    "INT16",
    "INT16",
    fixedSize("INT16", 2, {
      check: rangedNumber("INT16", -32_768, 32_767),
      write: (view, value) => view.setInt16(0, value),
      read: (view) => view.getInt16(0),
    }),
  );
}

/** A whole number from -2^31 to 2^31 - 1. */
export function int32Schema(): Schema<number> {
  return primitive(
    "INT32",
    "INT32",
    fixedSize("INT32", 4, {
      check: rangedNumber("INT32", -2_147_483_648, 2_147_483_647),
      write: (view, value) => view.setInt32(0, value),
      read: (view) => view.getInt32(0),
    }),
  );
}

/** A whole number of 64 bits, as a bigint. */
export function int64Schema(): Schema<bigint> {
  return primitive(
    "INT64",
    "INT64",
    fixedSize("INT64", 8, {
      check(value: bigint): bigint {
        if (typeof value === "bigint" && BigInt.asIntN(64, value) === value) return value;
        throw new TypeError(`INT64 takes a bigint of 64 bits, not ${describe(value)}`);
      },
      write: (view, value) => view.setBigInt64(0, value),
      read: (view) => view.getBigInt64(0),
    }),
  );
}

function anyNumber(type: string): (value: number) => number {
  return (value) => {
    if (typeof value === "number") return value;
    throw new TypeError(`${type} takes a number, not ${describe(value)}`);
  };
}

/** A floating-point number of 32 bits: what is sent is rounded to it. */
export function floatSchema(): Schema<number> {
  return primitive(
    "FLOAT",
    "Float",
    fixedSize("FLOAT", 4, {
      check: anyNumber("FLOAT"),
      write: (view, value) => view.setFloat32(0, value),
      read: (view) => view.getFloat32(0),
    }),
  );
}

/** A floating-point number of 64 bits. */
export function doubleSchema(): Schema<number> {
  return primitive(
    "DOUBLE",
    "Double",
    fixedSize("DOUBLE", 8, {
      check: anyNumber("DOUBLE"),
      write: (view, value) => view.setFloat64(0, value),
      read: (view) => view.getFloat64(0),
    }),
  );
}
