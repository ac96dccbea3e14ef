/** An Avro schema, parsed: names are resolved by the checker, not here. */
export type AvroSchema = string | AvroSchema[] | AvroComplex;

export interface AvroComplex {
  type: AvroSchema;
  name?: string;
  namespace?: string;
  aliases?: string[];
  fields?: AvroField[];
  symbols?: string[];
  items?: AvroSchema;
  values?: AvroSchema;
  size?: number;
  default?: unknown;
}

export interface AvroField {
  name: string;
  type: AvroSchema;
  default?: unknown;
  aliases?: string[];
}

const PRIMITIVES = new Set(["null", "boolean", "int", "long", "float", "double", "bytes", "string"]);
/** What a reader of the key may be given, beside itself. */
const PROMOTIONS: Readonly<Record<string, readonly string[]>> = {
  long: ["int"],
  float: ["int", "long"],
  double: ["int", "long", "float"],
  bytes: ["string"],
  string: ["bytes"],
};
const DEPTH_MAX = 64;

/** Throws a SyntaxError or TypeError when the text is no Avro schema. */
export function parseAvroSchema(text: string): AvroSchema {
  const schema = JSON.parse(text) as AvroSchema;
  check(schema, new Set(), 0);
  return schema;
}

function check(schema: AvroSchema, names: Set<string>, depth: number): void {
  if (depth > DEPTH_MAX) throw new TypeError("an Avro schema nested too deeply");
  if (typeof schema === "string") {
    if (!PRIMITIVES.has(schema) && !names.has(schema) && !names.has(simpleName(schema))) {
      throw new TypeError(`unknown Avro type ${schema}`);
    }
    return;
  }
  if (Array.isArray(schema)) {
    for (const branch of schema) check(branch, names, depth + 1);
    return;
  }
  if (typeof schema !== "object" || schema === null) throw new TypeError("an Avro schema is a name, list or object");
  if (schema.name !== undefined) names.add(schema.name);
  if (schema.type === "record" || schema.type === "error") {
    if (!Array.isArray(schema.fields) || schema.name === undefined)
      throw new TypeError("a record has a name and fields");
    for (const field of schema.fields) check(field.type, names, depth + 1);
  } else if (schema.type === "array") check(required(schema.items, "items"), names, depth + 1);
  else if (schema.type === "map") check(required(schema.values, "values"), names, depth + 1);
  else if (schema.type === "enum") required(schema.symbols, "symbols");
  else if (schema.type === "fixed") required(schema.size, "size");
  else check(schema.type, names, depth + 1);
}

function required<T>(value: T | undefined, what: string): T {
  if (value === undefined) throw new TypeError(`an Avro type lacks ${what}`);
  return value;
}

function simpleName(name: string): string {
  return name.slice(name.lastIndexOf(".") + 1);
}

/**
 * Whether a reader of one schema understands what was written with another, by Avro's resolution rules.
 * Answers undefined when it does, else why not.
 */
export function whyUnreadable(reader: AvroSchema, writer: AvroSchema): string | undefined {
  return new Resolver(reader, writer).why(reader, writer, "");
}

class Resolver {
  readonly #readerNames = new Map<string, AvroComplex>();
  readonly #writerNames = new Map<string, AvroComplex>();
  readonly #underWay = new Set<string>();

  constructor(reader: AvroSchema, writer: AvroSchema) {
    collect(reader, this.#readerNames);
    collect(writer, this.#writerNames);
  }

  why(readerSchema: AvroSchema, writerSchema: AvroSchema, at: string): string | undefined {
    const reader = resolve(readerSchema, this.#readerNames);
    const writer = resolve(writerSchema, this.#writerNames);
    if (Array.isArray(writer)) {
      for (const branch of writer) {
        const why = this.why(reader, branch, at);
        if (why !== undefined) return why;
      }
      return undefined;
    }
    if (Array.isArray(reader)) {
      if (reader.some((branch) => this.why(branch, writer, at) === undefined)) return undefined;
      return `${at || "the root"}: no branch of the reader's union takes ${kindOf(writer)}`;
    }
    return this.#whyPlain(reader, writer, at);
  }

  #whyPlain(reader: string | AvroComplex, writer: string | AvroComplex, at: string): string | undefined {
    const readerKind = kindOf(reader);
    const writerKind = kindOf(writer);
    if (readerKind !== writerKind) {
      if (PROMOTIONS[readerKind]?.includes(writerKind)) return undefined;
      return `${at || "the root"}: ${writerKind} cannot be read as ${readerKind}`;
    }
    if (typeof reader === "string" || typeof writer === "string") return undefined;
    switch (readerKind) {
      case "record":
        return this.#whyRecord(reader, writer, at);
      case "array":
        return this.why(reader.items as AvroSchema, writer.items as AvroSchema, `${at}[]`);
      case "map":
        return this.why(reader.values as AvroSchema, writer.values as AvroSchema, `${at}{}`);
      case "enum":
        return whyEnum(reader, writer, at);
      case "fixed":
        return reader.size === writer.size ? undefined : `${at}: fixed sizes differ`;
      default:
        return undefined;
    }
  }

  #whyRecord(reader: AvroComplex, writer: AvroComplex, at: string): string | undefined {
    if (!sameName(reader, writer)) return `${at || "the root"}: record ${writer.name} is not ${reader.name}`;
    // a record that contains itself is readable if the rest of it is
    const pair = `${reader.name}|${writer.name}`;
    if (this.#underWay.has(pair)) return undefined;
    this.#underWay.add(pair);
    try {
      const written = new Map((writer.fields ?? []).map((f) => [f.name, f]));
      for (const field of reader.fields ?? []) {
        const from = [field.name, ...(field.aliases ?? [])].map((n) => written.get(n)).find((f) => f !== undefined);
        const path = `${at}.${field.name}`;
        if (from === undefined) {
          if (!("default" in field)) return `${path}: it has no default and was not written`;
          continue;
        }
        const why = this.why(field.type, from.type, path);
        if (why !== undefined) return why;
      }
      return undefined;
    } finally {
      this.#underWay.delete(pair);
    }
  }
}

function whyEnum(reader: AvroComplex, writer: AvroComplex, at: string): string | undefined {
  if (!sameName(reader, writer)) return `${at}: enum ${writer.name} is not ${reader.name}`;
  if (reader.default !== undefined) return undefined;
  const missing = (writer.symbols ?? []).filter((s) => !(reader.symbols ?? []).includes(s));
  return missing.length === 0 ? undefined : `${at}: the reader's enum lacks ${missing.join(", ")}`;
}

function sameName(reader: AvroComplex, writer: AvroComplex): boolean {
  const name = simpleName(writer.name ?? "");
  return simpleName(reader.name ?? "") === name || (reader.aliases ?? []).some((a) => simpleName(a) === name);
}

/** The type a schema comes down to: a primitive's name, a union, or a named or container type. */
function resolve(schema: AvroSchema, names: ReadonlyMap<string, AvroComplex>): string | AvroSchema[] | AvroComplex {
  let current: AvroSchema = schema;
  for (let depth = 0; depth < DEPTH_MAX; depth++) {
    if (Array.isArray(current)) return current;
    if (typeof current === "string") {
      if (PRIMITIVES.has(current)) return current;
      const named = names.get(current) ?? names.get(simpleName(current));
      if (named === undefined) return current;
      return named;
    }
    if (typeof current.type === "string" && !PRIMITIVES.has(current.type) && !names.has(current.type)) return current;
    current = current.type;
  }
  return "null";
}

function kindOf(schema: string | AvroSchema[] | AvroComplex): string {
  if (typeof schema === "string") return schema;
  if (Array.isArray(schema)) return "union";
  return schema.type === "error" ? "record" : String(schema.type);
}

function collect(schema: AvroSchema, names: Map<string, AvroComplex>): void {
  if (typeof schema === "string") return;
  if (Array.isArray(schema)) {
    for (const branch of schema) collect(branch, names);
    return;
  }
  if (schema.name !== undefined) names.set(simpleName(schema.name), schema);
  for (const field of schema.fields ?? []) collect(field.type, names);
  if (schema.items !== undefined) collect(schema.items, names);
  if (schema.values !== undefined) collect(schema.values, names);
  if (typeof schema.type !== "string") collect(schema.type, names);
}
