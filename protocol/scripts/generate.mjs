// Turns PulsarApi.proto into gen/pulsar-api.ts: one interface, one encoder and one decoder for each message, over
// protobufjs' Writer and Reader. Messages are plain objects of one shape; a field that is absent is undefined.
//   npm run generate -w @pulsewire/protocol
import { readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import protobuf from "protobufjs";

const here = join(dirname(fileURLToPath(import.meta.url)), "..");
const root = protobuf.parse(readFileSync(join(here, "PulsarApi.proto"), "utf8"), {
  keepCase: false,
  alternateCommentMode: true,
}).root;
root.resolveAll();
const namespace = root.lookup("pulsar.proto");

const typeName = (t) => (t.parent === namespace ? t.name : t.parent.name + t.name);
const isBits = (field) => field.name === "ackSet"; // whole 64-bit words: kept as two halves, a number would round
// Ids that clients start at random, and sequence ids that applications choose: any 64-bit value occurs.
const EXACT = new Set([
  "requestId",
  "watcherId",
  "watchId",
  "sessionId",
  "sequenceId",
  "highestSequenceId",
  "lastSequenceId",
]);
const isExact = (field) => EXACT.has(field.name);
const scalarTs = {
  uint64: "number",
  int64: "number",
  uint32: "number",
  int32: "number",
  bool: "boolean",
  string: "string",
  bytes: "Uint8Array",
  double: "number",
};

function tsType(field) {
  if (isBits(field)) return "Bits64";
  if (isExact(field)) return "Int64";
  if (field.resolvedType) return typeName(field.resolvedType);
  const type = scalarTs[field.type];
  if (!type) throw new Error(`${field.fullName}: no mapping for ${field.type}`);
  return type;
}

function readExpression(field) {
  if (isBits(field)) return "readBits64(r)";
  if (isExact(field)) return "readExact64(r)";
  if (field.resolvedType instanceof protobuf.Enum) return `r.int32() as ${typeName(field.resolvedType)}`;
  if (field.resolvedType) return `decode${typeName(field.resolvedType)}(r, r.uint32())`;
  if (field.type === "uint64" || field.type === "int64") return "readInt64(r)";
  return `r.${field.type}()`;
}

const wireType = (field) => {
  if (field.resolvedType instanceof protobuf.Enum) return 0;
  if (field.type === "double") return 1;
  return field.resolvedType || field.type === "string" || field.type === "bytes" ? 2 : 0;
};

function writeStatement(field, value) {
  const tag = ((field.id << 3) | wireType(field)) >>> 0;
  if (isBits(field)) return `w.uint32(${tag}).int64(${value} as unknown as number);`;
  if (field.resolvedType instanceof protobuf.Enum) return `w.uint32(${tag}).int32(${value});`;
  if (field.resolvedType) return `encode${typeName(field.resolvedType)}(${value}, w.uint32(${tag}).fork()).ldelim();`;
  if (isExact(field)) return `writeExact64(w.uint32(${tag}), ${value});`;
  if (field.type === "uint64" || field.type === "int64") return `writeInt64(w.uint32(${tag}), ${value});`;
  return `w.uint32(${tag}).${field.type}(${value});`;
}

const zero = {
  uint64: "0",
  int64: "0",
  uint32: "0",
  int32: "0",
  bool: "false",
  string: '""',
  bytes: "EMPTY_BYTES",
  double: "0",
};
function initial(field) {
  if (field.repeated) return `NONE as readonly ${tsType(field)}[]`;
  if (!field.required) return "undefined";
  if (field.resolvedType instanceof protobuf.Enum) return `0 as ${tsType(field)}`;
  if (field.resolvedType) return `undefined as unknown as ${tsType(field)}`;
  return zero[field.type];
}

function defaultNote(field) {
  const explicit = field.options?.default;
  return explicit === undefined ? "" : ` Absent means \`${explicit}\`.`;
}

const out = [];
const comment = (text, indent = "") => text && out.push(`${indent}/** ${text.replace(/\s+/g, " ").trim()} */`);

function emitEnum(e) {
  const name = typeName(e);
  comment(e.comment ?? `\`${name}\` of PulsarApi.proto.`);
  out.push(`export const ${name} = {`, ...Object.entries(e.values).map(([k, v]) => `  ${k}: ${v},`), "} as const;");
  out.push(`export type ${name} = (typeof ${name})[keyof typeof ${name}];`, "");
}

function emitMessage(m) {
  const name = typeName(m);
  const fields = m.fieldsArray;
  comment(m.comment ?? `\`${m.name}\` of PulsarApi.proto.`);
  out.push(`export interface ${name} {`);
  for (const f of fields) {
    comment(
      `Field ${f.id}, ${f.repeated ? "repeated " : f.required ? "required " : ""}${f.type}.${defaultNote(f)}`,
      "  ",
    );
    if (f.repeated) out.push(`  ${f.name}?: readonly ${tsType(f)}[] | undefined;`);
    else out.push(`  ${f.name}${f.required ? "" : "?"}: ${tsType(f)}${f.required ? "" : " | undefined"};`);
  }
  out.push("}", "");

  out.push(`export function encode${name}(${fields.length ? "m" : "_m"}: ${name}, w: Writer): Writer {`);
  for (const f of fields) {
    const value = `m.${f.name}`;
    if (f.repeated) out.push(`  if (${value} !== undefined) for (const v of ${value}) ${writeStatement(f, "v")}`);
    else if (f.required) out.push(`  ${writeStatement(f, value)}`);
    else out.push(`  if (${value} !== undefined) ${writeStatement(f, value)}`);
  }
  out.push("  return w;", "}", "");

  const required = fields.filter((f) => f.required);
  const returnType = fields.some((f) => f.repeated) ? `Decoded<${name}>` : name;
  out.push(`export function decode${name}(r: Reader, length?: number): ${returnType} {`);
  out.push("  const end = length === undefined ? r.len : endOf(r, length);");
  if (fields.length) {
    out.push(`  const m: Mutable<${returnType}> = {`, ...fields.map((f) => `    ${f.name}: ${initial(f)},`), "  };");
    if (required.length) out.push("  let seen = 0;");
    out.push("  while (r.pos < end) {", "    const tag = r.uint32();", "    switch (tag >>> 3) {");
    for (const f of fields) {
      out.push(`      case ${f.id}:`);
      if (f.repeated) {
        const push = (indent) =>
          `${indent}if (m.${f.name} === NONE) m.${f.name} = [];\n${indent}(m.${f.name} as ${tsType(f)}[]).push(${readExpression(f)});`;
        if (wireType(f) === 0) {
          out.push(
            "        if ((tag & 7) === 2) {",
            `          const packedEnd = endOf(r, r.uint32());`,
            "          while (r.pos < packedEnd) {",
          );
          out.push(
            push("            "),
            "          }",
            "        } else {",
            "          expectWireType(tag, 0);",
            push("          "),
            "        }",
          );
        } else out.push(`        expectWireType(tag, 2);`, push("        "));
      } else {
        out.push(`        expectWireType(tag, ${wireType(f)});`, `        m.${f.name} = ${readExpression(f)};`);
        if (f.required) out.push(`        seen |= ${1 << required.indexOf(f)};`);
      }
      out.push("        break;");
    }
    out.push("      default:", "        r.skipType(tag & 7);", "    }", "  }");
    if (required.length) {
      const names = JSON.stringify(required.map((f) => f.name));
      out.push(`  if (seen !== ${(1 << required.length) - 1}) throw missingField("${name}", ${names}, seen);`);
    }
    out.push("  if (r.pos !== end) throw overrun();", "  return m;");
  } else {
    out.push("  while (r.pos < end) r.skipType(r.uint32() & 7);", "  return {};");
  }
  out.push("}", "");
}

/** BaseCommand becomes a union of { type, body }: in this protocol a command's type and its field share one number. */
function emitBaseCommand(base) {
  const types = base.nested.Type.values;
  const byId = new Map(base.fieldsArray.filter((f) => f.name !== "type").map((f) => [f.id, f]));
  const pairs = Object.entries(types).map(([name, value]) => {
    const field = byId.get(value);
    if (!field) throw new Error(`BaseCommand.Type.${name} = ${value} has no field of that number`);
    return { name, value, field, body: typeName(field.resolvedType) };
  });
  comment("The type of a command; each equals the number of its field in BaseCommand.");
  out.push("export const CommandType = {", ...pairs.map((p) => `  ${p.name}: ${p.value},`), "} as const;");
  out.push("export type CommandType = (typeof CommandType)[keyof typeof CommandType];", "");
  comment("One command of the protocol: BaseCommand with its one body.");
  out.push(
    "export type Command =",
    ...pairs.map((p, i) => `  | { type: ${p.value}; body: ${p.body} }${i === pairs.length - 1 ? ";" : ""}`),
    "",
  );
  comment("The body of a command by its type.");
  out.push("export interface CommandBodies {", ...pairs.map((p) => `  ${p.value}: ${p.body};`), "}", "");
  comment("Names for logs and error messages, by type.");
  out.push(
    "export const COMMAND_NAMES: Readonly<Record<number, string>> = {",
    ...pairs.map((p) => `  ${p.value}: "${p.name}",`),
    "};",
    "",
  );
  comment("Writes a BaseCommand.");
  out.push(
    "export function encodeCommand(c: Command, w: Writer): Writer {",
    "  w.uint32(8).int32(c.type);",
    "  switch (c.type) {",
  );
  for (const p of pairs)
    out.push(
      `    case ${p.value}:`,
      `      encode${p.body}(c.body, w.uint32(${((p.value << 3) | 2) >>> 0}).fork()).ldelim();`,
      "      break;",
    );
  out.push("  }", "  return w;", "}", "");
  comment("Reads a BaseCommand. Throws on an unknown type, a missing body or a truncated message.");
  out.push("export function decodeCommand(r: Reader, length?: number): Command {");
  out.push(
    "  const end = length === undefined ? r.len : endOf(r, length);",
    "  let type = 0;",
    "  let bodyType = 0;",
    "  let body: unknown;",
  );
  out.push(
    "  while (r.pos < end) {",
    "    const tag = r.uint32();",
    "    const field = tag >>> 3;",
    "    if (field === 1) {",
    "      expectWireType(tag, 0);",
    "      type = r.int32();",
    "      continue;",
    "    }",
    "    switch (field) {",
  );
  for (const p of pairs)
    out.push(
      `      case ${p.value}:`,
      "        expectWireType(tag, 2);",
      `        body = decode${p.body}(r, r.uint32());`,
      "        break;",
    );
  out.push(
    "      default:",
    "        r.skipType(tag & 7);",
    "        continue;",
    "    }",
    "    bodyType = field;",
    "  }",
  );
  out.push(
    "  if (r.pos !== end) throw overrun();",
    "  if (type === 0 || bodyType !== type) throw unknownCommand(type, bodyType);",
    "  return { type, body } as Command;",
    "}",
    "",
  );
}

out.push(
  "// Generated from PulsarApi.proto by scripts/generate.mjs. Do not edit.",
  'import type { Reader, Writer } from "protobufjs/minimal.js";',
  'import { type Bits64, type Decoded, EMPTY_BYTES, endOf, expectWireType, type Int64, type Mutable, missingField, NONE, overrun, readBits64, readExact64, readInt64, unknownCommand, writeExact64, writeInt64 } from "../src/protobuf-runtime.ts";',
  "",
);
const base = namespace.lookupType("BaseCommand");
for (const t of namespace.nestedArray) {
  if (t instanceof protobuf.Enum) emitEnum(t);
  else if (t === base) emitBaseCommand(t);
  else {
    for (const inner of t.nestedArray) emitEnum(inner);
    emitMessage(t);
  }
}
writeFileSync(join(here, "gen", "pulsar-api.ts"), `${out.join("\n")}`);
