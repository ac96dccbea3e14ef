import { CommandType, PROTOCOL_VERSION } from "@pulsewire/protocol";
import { type Address, deferred, type Network, type Timer } from "@pulsewire/runtime";
import { AlreadyClosedError, ConnectionError, type PulsarError, toPulsarError } from "../errors.ts";
import type { ServiceHost } from "../lookup/service-url.ts";
import { CLIENT_VERSION, Connection, type ConnectionOptions, toBytes } from "./connection.ts";

export interface OpenOptions extends ConnectionOptions {
  readonly network: Network;
  /** Where connections to brokers go, with the names of the brokers. */
  readonly proxy?: ServiceHost | undefined;
  /** Bounds the connection attempt and the handshake, each. */
  readonly connectionTimeoutMs: number;
  /** Aborted, the attempt ends. */
  readonly signal?: AbortSignal;
}

/** Where to connect, and through a proxy to which broker. */
export interface Target {
  readonly address: Address;
  /** `host:port` of the broker behind the proxy at `address`. */
  readonly proxyTo?: string | undefined;
}

/** Connects and shakes hands. Rejects with a PulsarError. */
export async function openConnection(target: Target, options: OpenOptions): Promise<Connection> {
  const { network, connectionTimeoutMs, clock, signal } = options;
  const { authentication } = options.service;
  try {
    const address = await withCertificate(throughProxy(target.address, options.proxy), authentication);
    const channel = await network.connect(address, {
      timeoutMs: connectionTimeoutMs,
      ...(signal === undefined ? {} : { signal }),
    });
    const ready = deferred<void>();
    const remote = remoteText(target);
    const connection = new Connection(channel, remote, options, {
      onConnected: () => ready.resolve(),
      onFailed: (error: PulsarError) => ready.reject(error),
    });
    const abort = (): void => connection.fail(new AlreadyClosedError("the client was closed while it connected"));
    signal?.addEventListener("abort", abort);
    if (signal?.aborted === true) abort();
    let timer: Timer | undefined;
    let over = false;
    const shakeHands = async (): Promise<void> => {
      const authData = authentication === undefined ? undefined : toBytes(await authentication.authData());
      if (over) return;
      // from here on it is the broker that is waited for
      timer = clock.setTimer(connectionTimeoutMs, () => {
        const detail = `${remote} did not answer CONNECT within ${connectionTimeoutMs} ms`;
        connection.fail(new ConnectionError("ConnectTimeout", detail, { retryable: true }));
      });
      sendConnect(connection, target, authentication?.methodName ?? "none", authData);
    };
    try {
      // a channel may close while the credentials are fetched; what waits for them must not miss that
      await Promise.all([ready.promise, shakeHands()]);
      return connection;
    } catch (error) {
      connection.fail(toPulsarError(error));
      throw error;
    } finally {
      over = true;
      signal?.removeEventListener("abort", abort);
      timer?.cancel();
    }
  } catch (error) {
    throw toPulsarError(error);
  }
}

/** A proxy that goes by names is asked for the broker's. */
function throughProxy(address: Address, proxy: ServiceHost | undefined): Address {
  if (proxy === undefined || address.transport !== "tls") return address;
  return { ...address, host: proxy.host, port: proxy.port, tls: { ...address.tls, serverName: address.host } };
}

/** The address with the certificate that the client is known by, where there is one. */
async function withCertificate(
  address: Address,
  authentication: OpenOptions["service"]["authentication"],
): Promise<Address> {
  if (authentication?.certificate === undefined) return address;
  if (address.transport !== "tls" && address.transport !== "websocket") return address;
  return { ...address, tls: { ...address.tls, ...(await authentication.certificate()) } };
}

function sendConnect(
  connection: Connection,
  target: Target,
  authMethodName: string,
  authData: Uint8Array | undefined,
): void {
  connection.send({
    type: CommandType.CONNECT,
    body: {
      clientVersion: CLIENT_VERSION,
      protocolVersion: PROTOCOL_VERSION,
      authMethodName,
      authData,
      proxyToBrokerUrl: target.proxyTo,
      featureFlags: {
        supportsAuthRefresh: true,
        supportsBrokerEntryMetadata: true,
        supportsPartialProducer: true,
        supportsTopicWatchers: true,
        supportsGetPartitionedMetadataWithoutAutoCreation: true,
      },
    },
  });
}

function remoteText(target: Target): string {
  const { address } = target;
  if (address.transport === "websocket") return address.url;
  return address.transport === "memory" ? address.name : `${address.host}:${address.port}`;
}
