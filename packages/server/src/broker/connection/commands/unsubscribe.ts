// UNSUBSCRIBE, all versions. Answered by SUCCESS once the subscription is deleted, or by ERROR: MetadataError while other
// consumers are attached and `force` is not set.
import type { CommandUnsubscribe } from "@pulsewire/protocol";
import type { BrokerConnection } from "../broker-connection.ts";
import { openConsumer } from "./open-consumer.ts";

export async function handleUnsubscribe(connection: BrokerConnection, body: CommandUnsubscribe): Promise<void> {
  const { topic, subscription, consumer } = openConsumer(connection, body.consumerId);
  await topic.unsubscribe(subscription, consumer, body.force ?? false);
  connection.consumers.remove(body.consumerId);
  connection.answerSuccess(body.requestId);
}
