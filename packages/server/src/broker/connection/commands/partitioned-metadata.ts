// PARTITIONED_METADATA, all versions. Answered by PARTITIONED_METADATA_RESPONSE with the number of partitions, 0 for a
// topic without; TopicNotFound for a missing namespace, and for a missing topic where the client forbids creation.
// A missing topic is created partitioned where policies say so and the client does not forbid it.
import {
  type CommandPartitionedTopicMetadata,
  type CommandPartitionedTopicMetadataResponse,
  CommandPartitionedTopicMetadataResponseLookupType,
  CommandType,
  ServerError,
  type TopicName,
} from "@pulsewire/protocol";
import { BrokerError } from "../../broker-error.ts";
import { ResourceError } from "../../resources/resource-error.ts";
import { toBrokerError } from "../../topic/storage-error.ts";
import type { BrokerConnection } from "../broker-connection.ts";
import type { BrokerContext } from "../broker-context.ts";
import { topicArgument } from "../topic-argument.ts";

const { Success, Failed } = CommandPartitionedTopicMetadataResponseLookupType;

export async function handlePartitionedMetadata(
  connection: BrokerConnection,
  body: CommandPartitionedTopicMetadata,
): Promise<void> {
  const { broker } = connection;
  const { requestId } = body;
  try {
    const topic = topicArgument(body.topic);
    const mayCreate = body.metadataAutoCreationEnabled ?? true;
    const partitions = await broker.lookups.run(() => partitionsOf(broker, topic, mayCreate));
    respond(connection, { partitions, requestId, response: Success });
  } catch (error) {
    const { code, message } = toBrokerError(error);
    respond(connection, { requestId, response: Failed, error: code, message });
  }
}

async function partitionsOf(broker: BrokerContext, topic: TopicName, mayCreate: boolean): Promise<number> {
  const { namespaces, partitionedTopics } = broker.resources;
  if (!(await namespaces.exists(topic.namespace)))
    throw new BrokerError(ServerError.TopicNotFound, "Namespace not found");
  const partitions = await partitionedTopics.partitions(topic);
  if (partitions > 0 || (await broker.topics.exists(topic))) return partitions;
  if (!mayCreate) throw new BrokerError(ServerError.TopicNotFound, `Topic ${topic} does not exist`);
  const { autoTopicCreation } = await broker.policiesOf(topic);
  const { allowAutoTopicCreation, topicType, defaultNumPartitions } = autoTopicCreation;
  if (!allowAutoTopicCreation || topicType === "non-partitioned" || topic.partitionIndex >= 0) return 0;
  try {
    await partitionedTopics.create(topic, defaultNumPartitions);
  } catch (error) {
    if (!(error instanceof ResourceError) || error.code !== "AlreadyExists") throw error;
  }
  return partitionedTopics.partitions(topic);
}

function respond(connection: BrokerConnection, body: CommandPartitionedTopicMetadataResponse): void {
  connection.send({ type: CommandType.PARTITIONED_METADATA_RESPONSE, body });
}
