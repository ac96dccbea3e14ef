// PING, all versions. Answered by PONG.
import { type CommandPing, CommandType } from "@pulsewire/protocol";
import type { BrokerConnection } from "../broker-connection.ts";

export function handlePing(connection: BrokerConnection, _body: CommandPing): void {
  connection.send({ type: CommandType.PONG, body: {} });
}
