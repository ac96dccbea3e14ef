// AUTH_RESPONSE, from version 14. Answers an AUTH_CHALLENGE: during the handshake, where CONNECTED (or a further
// challenge) follows, or on a connection that is up, whose credentials ran out. Refused ones end the connection.
// Without authentication the command is passed over.
import type { CommandAuthResponse } from "@pulsewire/protocol";
import type { BrokerConnection } from "../broker-connection.ts";
import { judge } from "./connect.ts";

export function handleAuthResponse(
  connection: BrokerConnection,
  { response }: CommandAuthResponse,
): void | Promise<void> {
  const { authentication } = connection;
  if (authentication === undefined) return;
  const credentials = { method: response?.authMethodName ?? "none", data: response?.authData ?? new Uint8Array(0) };
  return judge(connection, authentication.judge(credentials));
}
