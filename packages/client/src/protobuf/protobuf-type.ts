import Long from "long";
import type { Root, Type } from "protobufjs";
import protobuf from "protobufjs";
import descriptor from "protobufjs/ext/descriptor.js";
import type { SchemaReader } from "../schema/schema.ts";

/** What Pulsar keeps for a PROTOBUF_NATIVE schema, as JSON. */
interface NativeDefinition {
  /** A serialised FileDescriptorSet, in base64. */
  fileDescriptorSet: string;
  /** The message's full name. */
  rootMessageTypeName: string;
  /** The name of the file the message is defined in. */
  rootFileDescriptorName: string;
}

interface FileSet {
  file: { name?: string; package?: string; syntax?: string; messageType?: { name?: string }[] }[];
}

const { FileDescriptorSet } = descriptor as unknown as { FileDescriptorSet: Type };

/** Values as plain objects: 64-bit numbers as bigint, enums by name, every field there. */
const PLAIN: protobuf.IConversionOptions = { longs: BigInt, enums: String, defaults: true };

/**
 * protobufjs looks for long.js by itself, and does not find it where a bundler gives it the module's other form: 64-bit
 * numbers would lose digits then, without a word.
 */
function exactLongs(): void {
  if (protobuf.util.Long !== null && protobuf.util.Long !== undefined) return;
  protobuf.util.Long = Long as unknown as typeof protobuf.util.Long;
  protobuf.configure();
}

export function plainReader<T>(type: Type): SchemaReader<T> {
  exactLongs();
  return { decode: (data) => type.toObject(type.decode(data), PLAIN) as T };
}

/** Throws where a value does not fit. */
export function protobufBytes(type: Type, value: unknown): Uint8Array {
  if (typeof value !== "object" || value === null) throw new TypeError(`${type.name} takes an object`);
  const message = type.fromObject(value as Record<string, unknown>);
  const wrong = type.verify(message);
  if (wrong !== null) throw new TypeError(wrong);
  return type.encode(message).finish();
}

/** The definition of a message type, with everything its root has. */
export function nativeDefinition(type: Type): Uint8Array {
  const root: Root = type.root;
  const set = root.toDescriptor("proto3") as unknown as FileSet;
  const packageName = packageOf(type);
  const owner = set.file.find((file) => (file.package ?? "") === packageName) ?? set.file[0];
  if (owner === undefined) throw new TypeError(`${type.fullName} is in no file`);
  for (const [index, file] of set.file.entries()) file.name ||= `file${index}.proto`;
  const definition: NativeDefinition = {
    fileDescriptorSet: base64(FileDescriptorSet.encode(set as never).finish()),
    rootMessageTypeName: type.fullName.replace(/^\./, ""),
    rootFileDescriptorName: owner.name ?? "",
  };
  return new TextEncoder().encode(JSON.stringify(definition));
}

/** The message type that a definition of the registry names. Throws for a broken one. */
export function nativeType(schema: Uint8Array): Type {
  const definition = JSON.parse(new TextDecoder().decode(schema)) as NativeDefinition;
  const bytes = Uint8Array.from(atob(definition.fileDescriptorSet), (c) => c.charCodeAt(0));
  const set = FileDescriptorSet.decode(bytes);
  return protobuf.Root.fromDescriptor(set as never).lookupType(definition.rootMessageTypeName);
}

/** The package a type is in: the names around it that are no messages. */
function packageOf(type: Type): string {
  let at: protobuf.NamespaceBase | null = type.parent;
  while (at instanceof protobuf.Type) at = at.parent;
  return at === null ? "" : at.fullName.replace(/^\./, "");
}

function base64(bytes: Uint8Array): string {
  let binary = "";
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return btoa(binary);
}
