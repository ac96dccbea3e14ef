// REDELIVER_UNACKNOWLEDGED_MESSAGES, all versions. Never answered; the messages named, or without names all that the
// consumer holds, come again.
import type { CommandRedeliverUnacknowledgedMessages } from "@pulsewire/protocol";
import type { BrokerConnection } from "../broker-connection.ts";

export function handleRedeliver(connection: BrokerConnection, body: CommandRedeliverUnacknowledgedMessages): void {
  const connected = connection.consumers.get(body.consumerId);
  if (connected === undefined) return;
  const ids = body.messageIds ?? [];
  const positions = ids.map(({ ledgerId, entryId }) => ({ ledgerId, entryId }));
  connected.consumer.redeliver(positions.length === 0 ? undefined : positions, body.consumerEpoch);
}
