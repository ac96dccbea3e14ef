// CONSUMER_STATS, from version 8. Answered by CONSUMER_STATS_RESPONSE; with ConsumerNotFound for a consumer that is not
// open (a real broker closes the connection instead).
// Gaps: rates are not measured and answered as 0.
import { type CommandConsumerStats, CommandSubscribeSubType, CommandType, ServerError } from "@pulsewire/protocol";
import type { BrokerConnection } from "../broker-connection.ts";

const TYPE_NAMES: ReadonlyMap<number, string> = new Map(
  Object.entries(CommandSubscribeSubType).map(([name, value]) => [value, name]),
);

export function handleConsumerStats(connection: BrokerConnection, body: CommandConsumerStats): void {
  const { requestId } = body;
  const connected = connection.consumers.get(body.consumerId);
  if (connected === undefined) {
    const answer = { requestId, errorCode: ServerError.ConsumerNotFound, errorMessage: "Consumer not found" };
    connection.send({ type: CommandType.CONSUMER_STATS_RESPONSE, body: answer });
    return;
  }
  const stats = connected.consumer.stats();
  const subscription = connected.topic.subscriptionStats(connected.subscription);
  connection.send({
    type: CommandType.CONSUMER_STATS_RESPONSE,
    body: {
      requestId,
      msgRateOut: 0,
      msgThroughputOut: 0,
      msgRateRedeliver: 0,
      consumerName: stats.consumerName,
      availablePermits: stats.availablePermits,
      unackedMessages: stats.unackedMessages,
      blockedConsumerOnUnackedMsgs: stats.blockedOnUnackedMessages,
      address: stats.address,
      connectedSince: new Date(stats.connectedSinceMs).toISOString(),
      type: TYPE_NAMES.get(connected.consumer.options.type),
      msgRateExpired: 0,
      msgBacklog: subscription?.msgBacklog ?? 0,
      messageAckRate: 0,
    },
  });
}
