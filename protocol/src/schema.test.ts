import { readFileSync } from "node:fs";
import { join } from "node:path";
import protobuf from "protobufjs";
import descriptor from "protobufjs/ext/descriptor/index.js";
import { describe, expect, it } from "vitest";

const folder = join(import.meta.dirname, "..");
const text = (path: string): string => readFileSync(join(folder, path), "utf8");

const ours = protobuf.parse(text("PulsarApi.proto"), { keepCase: true }).root;
ours.resolveAll();
const namespace = ours.lookup("pulsar.proto") as protobuf.Namespace;

const typeOf = (name: string): protobuf.Type => namespace.lookupType(name);
const enumOf = (name: string): protobuf.Enum => namespace.lookupEnum(name);

/** Messages and enums of the schema, nested ones as Outer.Inner. */
function walk(ns: protobuf.NamespaceBase, prefix = ""): { messages: string[]; enums: string[] } {
  const found = { messages: [] as string[], enums: [] as string[] };
  for (const item of ns.nestedArray) {
    const name = `${prefix}${item.name}`;
    if (item instanceof protobuf.Enum) found.enums.push(name);
    else if (item instanceof protobuf.Type) {
      found.messages.push(name);
      const inner = walk(item, `${name}.`);
      found.messages.push(...inner.messages);
      found.enums.push(...inner.enums);
    }
  }
  return found;
}

const wireTypeOf = (field: protobuf.Field): number => {
  if (field.resolvedType instanceof protobuf.Enum) return 0;
  if (field.resolvedType !== null || field.type === "string" || field.type === "bytes") return 2;
  return field.type === "double" ? 1 : 0;
};

interface FieldDescriptor {
  name: string;
  number: number;
  label: number;
  type: number;
  typeName?: string;
}
interface MessageDescriptor {
  name: string;
  field: FieldDescriptor[];
  nestedType: MessageDescriptor[];
  enumType: EnumDescriptor[];
}
interface EnumDescriptor {
  name: string;
  value: { name: string; number: number }[];
}

const LABELS = ["", "optional", "required", "repeated"];
const SCALARS: Readonly<Record<number, string>> = {
  1: "double",
  3: "int64",
  4: "uint64",
  5: "int32",
  8: "bool",
  9: "string",
  12: "bytes",
  13: "uint32",
};

/** Fields the Go client still calls by a name that the broker has given up, of the same number and type. */
const RENAMED: Readonly<Record<string, string>> = { "CommandNewTxn.txn_ttl_seconds": "txn_ttl_millis" };

describe("our schema and the descriptor inside the official Go client", () => {
  const bytes = Buffer.from(text("vectors/go-client-descriptor.txt"), "base64");
  const { FileDescriptorProto } = descriptor as unknown as { FileDescriptorProto: { decode(b: Uint8Array): unknown } };
  const file = FileDescriptorProto.decode(bytes) as {
    messageType: MessageDescriptor[];
    enumType: EnumDescriptor[];
  };
  const messages = new Map<string, MessageDescriptor>();
  const enums = new Map<string, EnumDescriptor>();
  const collect = (m: MessageDescriptor, prefix: string): void => {
    messages.set(prefix + m.name, m);
    for (const inner of m.nestedType) collect(inner, `${prefix}${m.name}.`);
    for (const e of m.enumType) enums.set(`${prefix}${m.name}.${e.name}`, e);
  };
  for (const m of file.messageType) collect(m, "");
  for (const e of file.enumType) enums.set(e.name, e);

  it("is compared over the whole protocol", () => {
    expect(messages.size).toBeGreaterThanOrEqual(72);
    expect(enums.size).toBeGreaterThanOrEqual(15);
  });

  it.each([...messages])("agrees on message %s, field by field", (name, official) => {
    const type = typeOf(name);
    for (const f of official.field) {
      const field = type.fields[RENAMED[`${name}.${f.name}`] ?? f.name];
      const typeName = f.typeName?.replace(".pulsar.proto.", "");
      const rule = field?.repeated ? "repeated" : field?.required ? "required" : "optional";
      const fieldType = field?.resolvedType?.fullName.replace(".pulsar.proto.", "") ?? field?.type;
      expect({ name: f.name, id: field?.id, rule, type: fieldType }).toEqual({
        name: f.name,
        id: f.number,
        rule: LABELS[f.label],
        type: typeName || SCALARS[f.type],
      });
    }
  });

  it.each([...enums])("agrees on enum %s, value by value", (name, official) => {
    for (const value of official.value) expect(enumOf(name).values[value.name]).toBe(value.number);
  });
});

describe("our schema and the protocol classes of the official Java client", () => {
  const fields = JSON.parse(text("vectors/java-client-fields.json")) as {
    messages: Record<string, Record<string, { number: number; wireType: number }>>;
    enums: Record<string, Record<string, number>>;
  };
  const constantOf = (name: string): string => name.replace(/([a-z0-9])([A-Z])/g, "$1_$2").toUpperCase();

  it.each(Object.entries(fields.messages))("has the same fields in %s, no more and no fewer", (name, official) => {
    const mine = typeOf(name).fieldsArray.map((f) => [constantOf(f.name), { number: f.id, wireType: wireTypeOf(f) }]);
    expect(Object.fromEntries(mine)).toEqual(official);
  });

  it.each(Object.entries(fields.enums))("has the same values in %s", (name, official) => {
    expect(enumOf(name).values).toEqual(official);
  });

  it("has the same messages and enums, no more and no fewer", () => {
    const { messages, enums } = walk(namespace);
    expect(messages.sort()).toEqual(Object.keys(fields.messages).sort());
    expect(enums.sort()).toEqual(Object.keys(fields.enums).sort());
  });
});

describe("the command reference", () => {
  it("has a section for every command, with its number", () => {
    const readme = text("README.md");
    const types = Object.entries(typeOf("BaseCommand").lookupEnum("Type").values);
    expect(types.filter(([name, number]) => !readme.includes(`### ${name} (${number})\n`))).toEqual([]);
  });
});
