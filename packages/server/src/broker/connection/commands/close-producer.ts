// CLOSE_PRODUCER, all versions. Answered by SUCCESS, also for an id that is not open; what is under way still gets its
// receipts. One that is being opened is given up.
import type { CommandCloseProducer } from "@pulsewire/protocol";
import type { BrokerConnection } from "../broker-connection.ts";

export function handleCloseProducer(connection: BrokerConnection, body: CommandCloseProducer): void {
  const producer = connection.producers.remove(body.producerId);
  producer?.topic.removeProducer(producer);
  connection.answerSuccess(body.requestId);
}
