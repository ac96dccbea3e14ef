import { type Schema, SchemaType, ServerError, type TopicName } from "@pulsewire/protocol";
import { BrokerError } from "../broker-error.ts";
import type { EffectivePolicies } from "../resources/effective-policies.ts";
import { encodeSchemaVersion, schemaInfoOf } from "../resources/schema-info.ts";
import type { Schemas } from "../resources/schemas.ts";

const NO_VERSION: Uint8Array = new Uint8Array(0);

/** A schema that says something; `None` (bytes) and an absent one say nothing. */
function meaningful(schema: Schema | undefined): schema is Schema {
  return schema !== undefined && schema.type !== SchemaType.None;
}

/** Checks a new producer's schema and registers it. Answers its version, empty without a schema. */
export async function admitProducerSchema(
  schemas: Schemas,
  topic: TopicName,
  schema: Schema | undefined,
  policies: EffectivePolicies,
): Promise<Uint8Array> {
  if (!meaningful(schema)) {
    if (policies.schemaValidationEnforced && (await schemas.get(topic)) !== undefined) {
      throw incompatible("Producers cannot connect or send message without a schema to topics with a schema");
    }
    return NO_VERSION;
  }
  if (schema.type === SchemaType.AutoConsume) throw incompatible("Schema AUTO_CONSUME is a client-side schema type");
  const info = schemaInfoOf(schema);
  if (policies.autoUpdateSchema)
    return encodeSchemaVersion(await schemas.add(topic, info, policies.schemaCompatibility));
  await schemas.check(topic, info, policies.schemaCompatibility);
  const same = (await schemas.versions(topic)).find((v) => v.type === info.type);
  if (same === undefined) throw incompatible("Schema not found and schema auto updating is disabled.");
  return encodeSchemaVersion(same.version);
}

/** Checks a new consumer's schema against the topic's; the first on a topic nobody used registers it. */
export async function admitConsumerSchema(
  schemas: Schemas,
  topic: TopicName,
  schema: Schema | undefined,
  policies: EffectivePolicies,
  idle: boolean,
): Promise<void> {
  if (!meaningful(schema) || schema.type === SchemaType.AutoConsume) return;
  const info = schemaInfoOf(schema);
  const known = (await schemas.get(topic)) !== undefined;
  if (!known && idle) {
    await schemas.add(topic, info, policies.schemaCompatibility);
    return;
  }
  if (!known) throw incompatible("Topic does not have schema to check");
  await schemas.check(topic, info, policies.schemaCompatibility);
}

function incompatible(message: string): BrokerError {
  return new BrokerError(ServerError.IncompatibleSchema, message);
}
