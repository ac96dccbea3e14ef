// GET_SCHEMA, from version 14. Answered by GET_SCHEMA_RESPONSE with the latest schema or the version asked for;
// TopicNotFound where there is none.
import {
  type CommandGetSchema,
  type CommandGetSchemaResponse,
  CommandType,
  type Schema,
  ServerError,
  type TopicName,
} from "@pulsewire/protocol";
import { BrokerError } from "../../broker-error.ts";
import { decodeSchemaVersion, encodeSchemaVersion, type SchemaVersion } from "../../resources/schema-info.ts";
import { toBrokerError } from "../../topic/storage-error.ts";
import type { BrokerConnection } from "../broker-connection.ts";
import { topicArgument } from "../topic-argument.ts";

export async function handleGetSchema(connection: BrokerConnection, body: CommandGetSchema): Promise<void> {
  const { requestId } = body;
  try {
    const topic = topicArgument(body.topic);
    const version = versionArgument(body.schemaVersion);
    const found = await connection.broker.resources.schemas.get(topic, version);
    if (found === undefined) throw notFound(topic);
    respond(connection, {
      requestId,
      schema: schemaOf(topic, found),
      schemaVersion: encodeSchemaVersion(found.version),
    });
  } catch (error) {
    const { code, message } = toBrokerError(error);
    respond(connection, { requestId, errorCode: code, errorMessage: message });
  }
}

/** Undefined asks for the latest; bytes that are no version ask for one that is never there. */
function versionArgument(bytes: Uint8Array | undefined): number | undefined {
  if (bytes === undefined || bytes.length === 0) return undefined;
  return decodeSchemaVersion(bytes) ?? -1;
}

function schemaOf(topic: TopicName, found: SchemaVersion): Schema {
  return {
    name: `${topic.namespace}/${topic.localName}`,
    schemaData: found.data,
    type: found.type as Schema["type"],
    properties: Object.entries(found.properties).map(([key, value]) => ({ key, value })),
  };
}

function notFound(topic: TopicName): BrokerError {
  return new BrokerError(ServerError.TopicNotFound, `Topic not found or no-schema ${topic}`);
}

function respond(connection: BrokerConnection, body: CommandGetSchemaResponse): void {
  connection.send({ type: CommandType.GET_SCHEMA_RESPONSE, body });
}
