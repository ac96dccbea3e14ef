// FLOW, all versions. Never answered; one for a consumer that is not open is passed over.
import type { CommandFlow } from "@pulsewire/protocol";
import type { BrokerConnection } from "../broker-connection.ts";

export function handleFlow(connection: BrokerConnection, body: CommandFlow): void {
  connection.consumers.get(body.consumerId)?.consumer.flow(body.messagePermits);
}
