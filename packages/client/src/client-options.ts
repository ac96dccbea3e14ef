import type { ClientRuntime, ClientTlsOptions } from "@pulsewire/runtime";
import { type Authentication, checkAuthentication } from "./auth/authentication.ts";
import { checkLogger, checkRuntime, checkTelemetry, checkTls } from "./check-client-options.ts";
import { describe, knownOptions, optionalText, trueOrFalse, wholeNumber } from "./check-options.ts";
import { InvalidConfigurationError } from "./errors.ts";
import type { ServiceUrlProvider } from "./failover/service-url-provider.ts";
import type { Logger } from "./logger.ts";
import { parseServiceUrl, type ServiceHost, type ServiceUrl } from "./lookup/service-url.ts";
import type { Telemetry } from "./observability/telemetry.ts";

export interface PulsarClientOptions {
  /**
   * `pulsar://`, `pulsar+ssl://`, `ws://` or `wss://`; or `http://`, `https://` for lookups over HTTP. With one host or
   * several: `pulsar://a:6650,b:6650`. Default ports: 6650, 6651 with TLS, 8080 and 8443.
   */
  serviceUrl?: string;
  /** In place of `serviceUrl`, to go from one cluster to another: `autoClusterFailover`, `controlledClusterFailover`. */
  serviceUrlProvider?: ServiceUrlProvider;
  authentication?: Authentication;
  /** How long looking up, subscribing, creating a producer and the like may take, in ms. Default 30,000. */
  operationTimeoutMs?: number;
  /** How long connecting may take, in ms. Default 10,000. */
  connectionTimeoutMs?: number;
  /** How long a connection may be silent before it is asked whether it lives, in ms; 0 never asks. Default 30,000. */
  keepAliveIntervalMs?: number;
  /** Default 1. */
  connectionsPerBroker?: number;
  /** Default 20. */
  maxLookupRedirects?: number;
  /**
   * Whether the credentials are sent to a host that a lookup over HTTP is redirected to and that `serviceUrl` does not
   * name; several brokers behind one address need it. Default false.
   */
  authenticateRedirects?: boolean;
  /**
   * A proxy for TLS that goes by the name that is asked for (SNI), such as `pulsar+ssl://proxy:4443`. Connections to brokers
   * go there, with the broker's name; for `pulsar+ssl://`.
   */
  proxyServiceUrl?: string;
  /** Payload bytes that all producers together may hold without a receipt; 0 is no limit. Default 64 MiB. */
  memoryLimitBytes?: number;
  /** The advertised listener to be given the addresses of. */
  listenerName?: string;
  tls?: ClientTlsOptions;
  /** Time, randomness, network and codecs. Default: the platform's. */
  runtime?: ClientRuntime;
  /** Default: nothing is logged. `console` and a pino logger fit as they are. */
  logger?: Logger;
  /** Traces and metrics, such as `openTelemetry()` of `@pulsewire/client/opentelemetry`. Default: none. */
  telemetry?: Telemetry;
}

/** The options with every default filled in. */
export interface ResolvedClientOptions {
  readonly serviceUrl: ServiceUrl;
  readonly serviceUrlProvider: ServiceUrlProvider | undefined;
  readonly authentication: Authentication | undefined;
  readonly operationTimeoutMs: number;
  readonly connectionTimeoutMs: number;
  readonly keepAliveIntervalMs: number;
  readonly connectionsPerBroker: number;
  readonly maxLookupRedirects: number;
  readonly authenticateRedirects: boolean;
  readonly proxy: ServiceHost | undefined;
  readonly memoryLimitBytes: number;
  readonly listenerName: string | undefined;
  readonly tls: ClientTlsOptions | undefined;
  readonly logger: Logger;
  readonly telemetry: Telemetry | undefined;
}

const OPTIONS: Record<keyof PulsarClientOptions, true> = {
  serviceUrl: true,
  serviceUrlProvider: true,
  authentication: true,
  operationTimeoutMs: true,
  connectionTimeoutMs: true,
  keepAliveIntervalMs: true,
  connectionsPerBroker: true,
  maxLookupRedirects: true,
  authenticateRedirects: true,
  proxyServiceUrl: true,
  memoryLimitBytes: true,
  listenerName: true,
  tls: true,
  runtime: true,
  logger: true,
  telemetry: true,
};

/** Throws a PulsarError that names the option and what it takes. */
export function resolveClientOptions(o: PulsarClientOptions): ResolvedClientOptions {
  if (typeof o !== "object" || o === null) {
    throw new InvalidConfigurationError(`a client takes options with a serviceUrl, not ${describe(o)}`);
  }
  knownOptions("a client", o, OPTIONS);
  checkRuntime(o.runtime);
  const provider = checkProvider(o);
  checkAuthentication(provider?.initial.authentication);
  const serviceUrl = parseServiceUrl(provider?.initial.serviceUrl ?? (o.serviceUrl as string));
  return {
    serviceUrl,
    serviceUrlProvider: provider,
    authentication: checkAuthentication(o.authentication),
    operationTimeoutMs: wholeNumber("operationTimeoutMs", o.operationTimeoutMs, 30_000, 1),
    connectionTimeoutMs: wholeNumber("connectionTimeoutMs", o.connectionTimeoutMs, 10_000, 1),
    keepAliveIntervalMs: wholeNumber("keepAliveIntervalMs", o.keepAliveIntervalMs, 30_000),
    connectionsPerBroker: wholeNumber("connectionsPerBroker", o.connectionsPerBroker, 1, 1),
    maxLookupRedirects: wholeNumber("maxLookupRedirects", o.maxLookupRedirects, 20),
    authenticateRedirects: trueOrFalse("authenticateRedirects", o.authenticateRedirects, false),
    proxy: parseProxy(o.proxyServiceUrl),
    memoryLimitBytes: wholeNumber("memoryLimitBytes", o.memoryLimitBytes, 64 * 1024 * 1024),
    listenerName: optionalText("listenerName", o.listenerName),
    tls: checkTls(o.tls),
    logger: checkLogger(o.logger),
    telemetry: checkTelemetry(o.telemetry),
  };
}

function checkProvider({ serviceUrl, serviceUrlProvider }: PulsarClientOptions): ServiceUrlProvider | undefined {
  if (serviceUrlProvider === undefined) return undefined;
  if (serviceUrl !== undefined) {
    throw new InvalidConfigurationError("either serviceUrl or serviceUrlProvider is needed, and not both");
  }
  const { initial, start, close } = (serviceUrlProvider ?? {}) as Partial<ServiceUrlProvider>;
  if (typeof initial?.serviceUrl === "string" && typeof start === "function" && typeof close === "function") {
    return serviceUrlProvider;
  }
  throw new InvalidConfigurationError("serviceUrlProvider takes one such as autoClusterFailover(...)");
}

function parseProxy(text: string | undefined): ServiceHost | undefined {
  if (text === undefined) return undefined;
  const { scheme, hosts } = parseServiceUrl(text);
  if (scheme === "pulsar+ssl" && hosts.length === 1) return hosts[0];
  throw new InvalidConfigurationError(`proxyServiceUrl takes pulsar+ssl:// and one host, not ${JSON.stringify(text)}`);
}
