// CONNECT, all versions. Answered by CONNECTED with the lower of both protocol versions, the largest message and the
// broker's features; by ERROR and the end of the connection where credentials are refused or `proxy_to_broker_url`
// names no broker of this process. A second CONNECT ends the connection.
// Gaps: no AUTH_CHALLENGE round (credentials are judged as they come); `original_principal` is not looked at.
import { type CommandConnect, CommandType, PROTOCOL_VERSION, ServerError } from "@pulsewire/protocol";
import { BrokerError } from "../../broker-error.ts";
import type { BrokerConnection } from "../broker-connection.ts";

/** The request id of an ERROR that answers CONNECT, which has none. */
const CONNECT_REQUEST = -1;

export function handleConnect(connection: BrokerConnection, body: CommandConnect): void | Promise<void> {
  if (connection.state.kind !== "awaiting-connect") {
    connection.fail("a second CONNECT");
    return;
  }
  if (body.proxyToBrokerUrl !== undefined && !route(connection, body.proxyToBrokerUrl)) return;
  if (connection.broker.authenticator === undefined) {
    answer(connection, body, undefined);
    return;
  }
  connection.connecting();
  return authenticate(connection, body);
}

function route(connection: BrokerConnection, address: string): boolean {
  const target = connection.broker.peer(address);
  if (target === undefined) {
    refuse(connection, new BrokerError(ServerError.ServiceNotReady, `No broker ${address} is here`));
    return false;
  }
  connection.routeTo(target);
  return true;
}

async function authenticate(connection: BrokerConnection, body: CommandConnect): Promise<void> {
  try {
    const data = body.authData ?? new Uint8Array(0);
    const role = await connection.broker.authenticator?.authenticate(body.authMethodName ?? "none", data, connection);
    answer(connection, body, role);
  } catch (error) {
    refuse(connection, error);
  }
}

function refuse(connection: BrokerConnection, error: unknown): void {
  connection.answerError(CONNECT_REQUEST, error);
  connection.close();
}

function answer(connection: BrokerConnection, body: CommandConnect, role: string | undefined): void {
  if (connection.state.kind === "closed") return;
  const protocolVersion = Math.min(body.protocolVersion ?? 0, PROTOCOL_VERSION);
  connection.connected({ protocolVersion, clientVersion: body.clientVersion, features: body.featureFlags ?? {}, role });
  connection.send({
    type: CommandType.CONNECTED,
    body: {
      serverVersion: "Pulsewire 0.1.0",
      protocolVersion,
      maxMessageSize: connection.broker.settings.maxMessageSize,
      featureFlags: {
        supportsTopicWatchers: true,
        supportsGetPartitionedMetadataWithoutAutoCreation: true,
      },
    },
  });
}
