// PONG, all versions. The client is there; one that nobody asked for is passed over.
import type { CommandPong } from "@pulsewire/protocol";
import type { BrokerConnection } from "../broker-connection.ts";

export function handlePong(connection: BrokerConnection, _body: CommandPong): void {
  connection.keepAlive.onPong();
}
