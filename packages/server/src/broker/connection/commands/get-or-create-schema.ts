// GET_OR_CREATE_SCHEMA, from version 15. Answered by GET_OR_CREATE_SCHEMA_RESPONSE with the schema's version, added when
// new; TopicNotFound for a topic that is not there, IncompatibleSchema.
import { type CommandGetOrCreateSchema, type CommandGetOrCreateSchemaResponse, CommandType } from "@pulsewire/protocol";
import { toBrokerError } from "../../topic/storage-error.ts";
import { admitProducerSchema } from "../../topic/topic-schemas.ts";
import type { BrokerConnection } from "../broker-connection.ts";
import { topicArgument } from "../topic-argument.ts";

export async function handleGetOrCreateSchema(
  connection: BrokerConnection,
  body: CommandGetOrCreateSchema,
): Promise<void> {
  const { requestId } = body;
  const { broker } = connection;
  try {
    const topic = topicArgument(body.topic);
    await broker.topics.load(topic, "never");
    const policies = await broker.policiesOf(topic);
    const schemaVersion = await admitProducerSchema(broker.resources.schemas, topic, body.schema, policies);
    respond(connection, { requestId, schemaVersion });
  } catch (error) {
    const { code, message } = toBrokerError(error);
    respond(connection, { requestId, errorCode: code, errorMessage: message });
  }
}

function respond(connection: BrokerConnection, body: CommandGetOrCreateSchemaResponse): void {
  connection.send({ type: CommandType.GET_OR_CREATE_SCHEMA_RESPONSE, body });
}
