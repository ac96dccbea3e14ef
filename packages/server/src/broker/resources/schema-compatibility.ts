import { SchemaType } from "@pulsewire/protocol";
import { type AvroSchema, parseAvroSchema, whyUnreadable } from "./avro-schema.ts";
import type { SchemaCompatibilityStrategy } from "./policies.ts";
import type { SchemaInfo } from "./schema-info.ts";

const NAMES: ReadonlyMap<number, string> = new Map(
  Object.entries(SchemaType).map(([name, value]) => [value, name.toUpperCase()]),
);

/** A schema type as Pulsar writes it in messages and in the admin REST. */
export function schemaTypeName(type: number): string {
  return NAMES.get(type) ?? `SCHEMA_TYPE_${type}`;
}

const decoder = new TextDecoder();

/** Why a definition is no valid one of its type, or undefined. Only Avro and JSON schemas have a definition to check. */
export function whyInvalid(schema: SchemaInfo): string | undefined {
  if (!hasAvroDefinition(schema.type)) return undefined;
  try {
    parseAvroSchema(decoder.decode(schema.data));
    return undefined;
  } catch (error) {
    return `Invalid schema definition data for ${schemaTypeName(schema.type)} schema: ${(error as Error).message}`;
  }
}

/**
 * Why a schema does not agree with those before it, or undefined. FULL, the default: each side reads what the other
 * wrote; BACKWARD: the new reads the last; FORWARD: the last reads the new; the TRANSITIVE ones look at every version.
 */
export function whyIncompatible(
  versions: readonly SchemaInfo[],
  schema: SchemaInfo,
  strategy: SchemaCompatibilityStrategy,
): string | undefined {
  if (strategy === "ALWAYS_COMPATIBLE") return undefined;
  const last = versions.at(-1);
  if (last === undefined) return undefined;
  if (last.type !== schema.type) {
    const types = `exists schema type ${schemaTypeName(last.type)}, new schema type ${schemaTypeName(schema.type)}`;
    return `Incompatible schema: ${types}`;
  }
  if (strategy === "ALWAYS_INCOMPATIBLE") return "Incompatible schema: the strategy is ALWAYS_INCOMPATIBLE";
  if (!hasAvroDefinition(schema.type)) return undefined;
  const against = strategy.endsWith("_TRANSITIVE") ? versions : [last];
  for (const before of against) {
    const why = whyAvroIncompatible(parse(before), parse(schema), strategy);
    if (why !== undefined) return `Error during schema compatibility check with strategy ${strategy}: ${why}`;
  }
  return undefined;
}

function whyAvroIncompatible(
  before: AvroSchema | undefined,
  after: AvroSchema | undefined,
  strategy: SchemaCompatibilityStrategy,
): string | undefined {
  if (before === undefined || after === undefined) return undefined;
  const backward = strategy.startsWith("FORWARD") ? undefined : whyUnreadable(after, before);
  const forward = strategy.startsWith("BACKWARD") ? undefined : whyUnreadable(before, after);
  return backward ?? forward;
}

function hasAvroDefinition(type: number): boolean {
  return type === SchemaType.Avro || type === SchemaType.Json || type === SchemaType.Protobuf;
}

/** Undefined where a JSON schema was kept in the older form that is no Avro definition. */
function parse(schema: SchemaInfo): AvroSchema | undefined {
  try {
    return parseAvroSchema(decoder.decode(schema.data));
  } catch {
    return undefined;
  }
}
