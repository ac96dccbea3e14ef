import { InvalidConfigurationError } from "../errors.ts";
import { base64Of } from "./platform.ts";
import type { SchemaInfo } from "./schema-info.ts";

/** What is used of a root of protobufjs. */
interface ProtobufRoot {
  lookupType(name: string): { fullName: string };
  lookup(name: string): unknown;
  resolveAll(): unknown;
  toDescriptor?(syntax: string): { $type: { encode(message: unknown): { finish(): Uint8Array } } };
}

export interface CreateSchemaInfoFromRootOptions {
  /** A `protobuf.Root`. */
  root: unknown;
  rootMessageTypeName: string;
  rootFileDescriptorName: string;
  schemaType?: "ProtobufNative";
  syntax?: "proto3" | "proto2" | string;
  name?: string;
  properties?: Record<string, string>;
}

/**
 * The schema of a message type. Import `protobufjs` and `protobufjs/ext/descriptor` in the application: the root is made
 * by the one and taught to describe itself by the other.
 */
export function createSchemaInfoFromRoot(options: CreateSchemaInfoFromRootOptions): SchemaInfo {
  const { root: given, rootMessageTypeName, rootFileDescriptorName } = options;
  for (const name of ["root", "rootMessageTypeName", "rootFileDescriptorName"] as const) {
    if (!options[name]) throw new Error(`${name} is required`);
  }
  const root = given as ProtobufRoot;
  const typeName = rootMessageTypeName.replace(/^\./, "");
  const message = root.lookupType(typeName);
  const dot = typeName.lastIndexOf(".");
  // protobufjs forgets the file a type came from; the registry wants to know it
  const holder = (dot < 0 ? root : root.lookup(typeName.slice(0, dot))) as { filename?: string };
  holder.filename = rootFileDescriptorName;
  root.resolveAll();
  const files = root.toDescriptor?.(options.syntax ?? "proto3");
  if (files === undefined) {
    throw new InvalidConfigurationError('import "protobufjs/ext/descriptor" before the schema is made');
  }
  return {
    schemaType: "ProtobufNative",
    name: options.name ?? rootMessageTypeName,
    schema: JSON.stringify({
      fileDescriptorSet: base64Of(files.$type.encode(files).finish()),
      rootMessageTypeName: message.fullName.replace(/^\./, ""),
      rootFileDescriptorName,
    }),
    properties: options.properties ?? {},
  };
}
