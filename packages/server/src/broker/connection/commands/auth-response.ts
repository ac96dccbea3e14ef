// AUTH_RESPONSE, from version 14. New credentials on a connection that is up: refused ones end it.
// Gaps: the broker sends no AUTH_CHALLENGE of its own yet; without authentication the command is passed over.
import type { CommandAuthResponse } from "@pulsewire/protocol";
import type { BrokerConnection } from "../broker-connection.ts";

export function handleAuthResponse(connection: BrokerConnection, body: CommandAuthResponse): void | Promise<void> {
  const { authenticator } = connection.broker;
  if (authenticator === undefined) return;
  return renew(connection, body);
}

async function renew(connection: BrokerConnection, { response }: CommandAuthResponse): Promise<void> {
  const data = response?.authData ?? new Uint8Array(0);
  try {
    await connection.broker.authenticator?.authenticate(response?.authMethodName ?? "none", data, connection);
  } catch (error) {
    connection.answerError(-1, error);
    connection.close();
  }
}
