import protobuf, { type Field, type Type } from "protobufjs";

const SCALARS: Readonly<Record<string, unknown>> = {
  double: "double",
  float: "float",
  int32: "int",
  sint32: "int",
  sfixed32: "int",
  uint32: "int",
  fixed32: "int",
  int64: "long",
  sint64: "long",
  sfixed64: "long",
  uint64: "long",
  fixed64: "long",
  bool: "boolean",
  string: { type: "string", "avro.java.string": "String" },
  bytes: "bytes",
};

/** A PROTOBUF schema is registered as a record in Avro's JSON form; the brokers compare versions by it. */
export function avroOfProtobuf(type: Type, namespace: string, defined: Set<string> = new Set()): unknown {
  if (defined.has(type.fullName)) return namespace === "" ? type.name : `${namespace}.${type.name}`;
  defined.add(type.fullName);
  const fields = type.fieldsArray.map((field) => fieldOf(field.resolve(), namespace, defined));
  return { type: "record", name: type.name, ...(namespace === "" ? {} : { namespace }), fields };
}

function fieldOf(field: Field, namespace: string, defined: Set<string>): object {
  const name = field.name;
  const item = itemOf(field, namespace, defined);
  if (field instanceof protobuf.MapField) return { name, type: { type: "map", values: item }, default: {} };
  if (field.repeated) return { name, type: { type: "array", items: item }, default: [] };
  if (field.resolvedType instanceof protobuf.Type) return { name, type: ["null", item], default: null };
  return { name, type: item, default: defaultOf(field) };
}

function itemOf(field: Field, namespace: string, defined: Set<string>): unknown {
  const { resolvedType } = field;
  if (resolvedType instanceof protobuf.Type) return avroOfProtobuf(resolvedType, namespace, defined);
  if (!(resolvedType instanceof protobuf.Enum)) return SCALARS[field.type] ?? "bytes";
  if (defined.has(resolvedType.fullName)) return resolvedType.name;
  defined.add(resolvedType.fullName);
  return { type: "enum", name: resolvedType.name, symbols: Object.keys(resolvedType.values) };
}

function defaultOf(field: Field): unknown {
  const { resolvedType } = field;
  if (resolvedType instanceof protobuf.Enum) return Object.keys(resolvedType.values)[0];
  if (field.type === "bool") return false;
  return field.type === "string" || field.type === "bytes" ? "" : 0;
}
