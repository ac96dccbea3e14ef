import avro, { type Schema as AvroDefinition, type Type } from "avsc";

/** How 64-bit numbers come: exactly, or as numbers that are exact up to 2^53. */
export type AvroLongs = "bigint" | "number";

/** The bytes class that avsc works with: Node's Buffer, or what a bundler puts in its place. */
const BufferClass = avro.Type.forSchema("null").toBuffer(null).constructor as unknown as {
  from(buffer: ArrayBufferLike, offset: number, length: number): ReturnType<Type["toBuffer"]>;
};

export function asBuffer(data: Uint8Array): ReturnType<Type["toBuffer"]> {
  return BufferClass.from(data.buffer, data.byteOffset, data.byteLength);
}

function bigintLongs(): Type {
  return avro.types.LongType.__with({
    fromBuffer: (buffer: Uint8Array) =>
      new DataView(buffer.buffer, buffer.byteOffset, buffer.byteLength).getBigInt64(0, true),
    toBuffer(value: bigint | number): Uint8Array {
      const bytes = new Uint8Array(8);
      new DataView(bytes.buffer).setBigInt64(0, BigInt(value), true);
      return asBuffer(bytes);
    },
    fromJSON: BigInt,
    toJSON: Number,
    // a whole number is taken as well: what it stands for is clear
    isValid: (value: unknown) =>
      typeof value === "bigint" ? BigInt.asIntN(64, value) === value : Number.isSafeInteger(value),
    compare: (a: bigint, b: bigint) => (a === b ? 0 : a < b ? -1 : 1),
  }) as unknown as Type;
}

/** avsc's type for a definition. Throws for one that is none. */
export function avroType(definition: object | string, longs: AvroLongs, options: object = {}): Type {
  const registry = longs === "bigint" ? { long: bigintLongs() } : {};
  return avro.Type.forSchema(definition as AvroDefinition, { ...options, registry });
}

/** Whether values may have bytes in them, which avsc takes as its own class only. */
export function hasBytes(definition: string): boolean {
  return /"(bytes|fixed)"/.test(definition);
}

/** The value with every Uint8Array as avsc's class of bytes. */
export function withBuffers(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (value instanceof Uint8Array) return asBuffer(value);
  if (Array.isArray(value)) return value.map(withBuffers);
  // what has a class of its own, as a Date has, is for a logical type to understand
  if (Object.getPrototypeOf(value) !== Object.prototype) return value;
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, withBuffers(field)]));
}

/** Says where in a value it does not fit. Undefined: it fits. */
export function misfit(type: Type, value: unknown): string | undefined {
  let found: string | undefined;
  type.isValid(value, {
    errorHook: (path, invalid, expected) => {
      found ??= `${path.join(".") || "the value"} takes ${String(expected)}, not ${typeof invalid}`;
    },
  });
  return found;
}
