// CLOSE_CONSUMER, all versions. Answered by SUCCESS, also for an id that is not open. One that is being opened is given
// up. What the consumer holds is delivered again to others.
import type { CommandCloseConsumer } from "@pulsewire/protocol";
import type { BrokerConnection } from "../broker-connection.ts";

export function handleCloseConsumer(connection: BrokerConnection, body: CommandCloseConsumer): void {
  const connected = connection.consumers.remove(body.consumerId);
  connected?.topic.removeConsumer(connected.subscription, connected.consumer);
  connection.answerSuccess(body.requestId);
}
