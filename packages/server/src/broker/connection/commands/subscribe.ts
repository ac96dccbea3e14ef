// SUBSCRIBE, all versions. Answered by SUCCESS, or by ERROR: ConsumerBusy, ConsumerAssignError, SubscriptionNotFound,
// TopicNotFound (`force_topic_creation` false), IncompatibleSchema, ServiceNotReady (another broker owns the topic), ...
// A SUBSCRIBE for an id that is open is answered as before.
// Gaps: `replicate_subscription_state` is not looked at.
import { type CommandSubscribe, ServerError } from "@pulsewire/protocol";
import { BrokerError } from "../../broker-error.ts";
import type { BrokerConnection } from "../broker-connection.ts";
import type { ConnectedConsumer } from "../connected-consumer.ts";
import { topicArgument } from "../topic-argument.ts";

export async function handleSubscribe(connection: BrokerConnection, body: CommandSubscribe): Promise<void> {
  const { consumerId, requestId } = body;
  if (connection.consumers.get(consumerId) !== undefined) {
    connection.answerSuccess(requestId);
    return;
  }
  const slot = connection.consumers.reserve(consumerId);
  let connected: ConnectedConsumer;
  try {
    connected = await attach(connection, body);
  } catch (error) {
    connection.consumers.release(slot);
    throw error;
  }
  // SUBSCRIBE -> (loading) -> CLOSE_CONSUMER, answered at once -> loaded: nobody wants the consumer any more
  if (!connection.consumers.complete(slot, connected)) {
    connected.topic.removeConsumer(connected.subscription, connected.consumer);
    if (slot.closedBy === "broker") throw new BrokerError(ServerError.ServiceNotReady, "The topic is moving");
    return;
  }
  connection.answerSuccess(requestId);
}

async function attach(connection: BrokerConnection, command: CommandSubscribe): Promise<ConnectedConsumer> {
  const name = topicArgument(command.topic);
  const topic = await connection.broker.topics.load(name, (command.forceTopicCreation ?? true) ? "by-policy" : "never");
  const consumerName = command.consumerName ?? "";
  const consumer = await topic.subscribe({ command, consumerName, session: connection.session });
  return { topic, subscription: command.subscription, consumer };
}
