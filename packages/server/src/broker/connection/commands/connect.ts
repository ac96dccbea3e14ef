// CONNECT, all versions. Answered by CONNECTED with the lower of both protocol versions, the largest message and the
// broker's features; by ERROR and the end of the connection where credentials are refused or `proxy_to_broker_url`
// names no broker of this process; by AUTH_CHALLENGE where the authenticator wants more. A second CONNECT ends the
// connection.
// Gaps: `original_principal` is not looked at.
import { type CommandConnect, CommandType, PROTOCOL_VERSION, ServerError } from "@pulsewire/protocol";
import { BrokerError } from "../../broker-error.ts";
import { SERVER_VERSION } from "../authentication-round.ts";
import type { BrokerConnection } from "../broker-connection.ts";

/** The request id of an ERROR that answers CONNECT, which has none. */
const CONNECT_REQUEST = -1;

export function handleConnect(connection: BrokerConnection, body: CommandConnect): void | Promise<void> {
  if (connection.state.kind !== "awaiting-connect") {
    connection.fail("a second CONNECT");
    return;
  }
  if (body.proxyToBrokerUrl !== undefined && !route(connection, body.proxyToBrokerUrl)) return;
  const { authentication } = connection;
  if (authentication === undefined) {
    welcome(connection, body, undefined);
    return;
  }
  connection.connecting(body);
  const credentials = { method: body.authMethodName ?? "none", data: body.authData ?? new Uint8Array(0) };
  return judge(connection, authentication.judge(credentials));
}

/** Waits for a verdict on credentials, and finishes the handshake if that is what they were for. */
export async function judge(connection: BrokerConnection, verdict: Promise<string | undefined>): Promise<void> {
  try {
    const role = await verdict;
    const { state } = connection;
    if (role !== undefined && state.kind === "connecting") welcome(connection, state.connect, role);
  } catch (error) {
    refuse(connection, error);
  }
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

function refuse(connection: BrokerConnection, error: unknown): void {
  const known = error instanceof BrokerError;
  const message = error instanceof Error ? error.message : String(error);
  connection.answerError(CONNECT_REQUEST, known ? error : new BrokerError(ServerError.AuthenticationError, message));
  connection.close();
}

function welcome(connection: BrokerConnection, body: CommandConnect, role: string | undefined): void {
  if (connection.state.kind === "closed") return;
  const protocolVersion = Math.min(body.protocolVersion ?? 0, PROTOCOL_VERSION);
  connection.connected({ protocolVersion, clientVersion: body.clientVersion, features: body.featureFlags ?? {}, role });
  connection.send({
    type: CommandType.CONNECTED,
    body: {
      serverVersion: SERVER_VERSION,
      protocolVersion,
      maxMessageSize: connection.broker.settings.maxMessageSize,
      featureFlags: {
        supportsTopicWatchers: true,
        supportsGetPartitionedMetadataWithoutAutoCreation: true,
      },
    },
  });
}
