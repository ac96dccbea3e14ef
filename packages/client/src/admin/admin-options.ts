import type { ClientRuntime, ClientTlsOptions } from "@pulsewire/runtime";
import {
  type Authentication,
  type BoundAuthentication,
  bindAuthentication,
  checkAuthentication,
} from "../auth/authentication.ts";
import { describe, trueOrFalse, wholeNumber } from "../check-options.ts";
import { InvalidConfigurationError } from "../errors.ts";
import { hostAndPort, parseServiceUrl } from "../lookup/service-url.ts";

export interface AdminOptions {
  /** `http://` or `https://`, with one host or several: `http://a:8080,b:8080` are tried in turn. */
  serviceUrl: string;
  /** Tokens and passwords go as the `authorization` header, certificates by `tls`. */
  authentication?: Authentication;
  /** For `https://`. A page cannot choose. */
  tls?: ClientTlsOptions;
  /** How long a request may take, in ms. Default 30,000. */
  timeoutMs?: number;
  /**
   * Brokers redirect to the broker that owns a topic. Send the credentials there too. Turn it on for a cluster of
   * several brokers with authentication. Not in a page, whose browser follows by itself. Default false.
   */
  authenticateRedirects?: boolean;
  /** The network, and what an authentication needs of a platform. What is not given is the platform's. */
  runtime?: Partial<ClientRuntime>;
}

export interface ResolvedAdminOptions {
  /** `http://host:port`, at least one. */
  readonly origins: readonly [string, ...string[]];
  readonly authentication: BoundAuthentication | undefined;
  readonly tls: ClientTlsOptions | undefined;
  readonly timeoutMs: number;
  readonly authenticateRedirects: boolean;
}

const KNOWN: ReadonlySet<string> = new Set<keyof AdminOptions>([
  "serviceUrl",
  "authentication",
  "tls",
  "timeoutMs",
  "authenticateRedirects",
  "runtime",
]);

/** Throws a PulsarError that names the option and what it takes. */
export function resolveAdminOptions(o: AdminOptions, runtime: ClientRuntime): ResolvedAdminOptions {
  if (typeof o !== "object" || o === null) {
    throw new InvalidConfigurationError(`an admin client takes options with a serviceUrl, not ${describe(o)}`);
  }
  for (const name of Object.keys(o)) {
    if (!KNOWN.has(name)) throw new InvalidConfigurationError(`${name}: there is no such option of an admin client`);
  }
  const url = parseServiceUrl(o.serviceUrl);
  if (url.scheme !== "http" && url.scheme !== "https") {
    throw new InvalidConfigurationError(`serviceUrl ${o.serviceUrl}: administration takes http:// or https://`);
  }
  const [first, ...others] = url.hosts.map((host) => `${url.scheme}://${hostAndPort(host)}`);
  return {
    origins: [first as string, ...others],
    authentication: bindAuthentication(checkAuthentication(o.authentication), runtime),
    tls: o.tls,
    timeoutMs: wholeNumber("timeoutMs", o.timeoutMs, 30_000, 1),
    authenticateRedirects: trueOrFalse("authenticateRedirects", o.authenticateRedirects, false),
  };
}
