import type { ClientRuntime, ClientTlsOptions } from "@pulsewire/runtime";
import {
  type Authentication,
  type BoundAuthentication,
  bindAuthentication,
  checkAuthentication,
} from "../auth/authentication.ts";
import { describe, knownOptions, trueOrFalse, wholeNumber } from "../check-options.ts";
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

const KNOWN: Readonly<Record<keyof AdminOptions, true>> = {
  serviceUrl: true,
  authentication: true,
  tls: true,
  timeoutMs: true,
  authenticateRedirects: true,
  runtime: true,
};

/** Throws a PulsarError that names the option and what it takes. */
export function resolveAdminOptions(o: AdminOptions, runtime: ClientRuntime): ResolvedAdminOptions {
  if (typeof o !== "object" || o === null) {
    throw new InvalidConfigurationError(`an admin client takes options with a serviceUrl, not ${describe(o)}`);
  }
  knownOptions("an admin client", o, KNOWN);
  if (typeof o.serviceUrl !== "string" || !/^https?:/.test(o.serviceUrl)) {
    throw new InvalidConfigurationError(
      `serviceUrl: administration takes http:// or https://, such as http://localhost:8080, not ${describe(o.serviceUrl)}`,
    );
  }
  const url = parseServiceUrl(o.serviceUrl);
  const [first, ...others] = url.hosts.map((host) => `${url.scheme}://${hostAndPort(host)}`);
  return {
    origins: [first as string, ...others],
    authentication: bindAuthentication(checkAuthentication(o.authentication), runtime),
    tls: o.tls,
    timeoutMs: wholeNumber("timeoutMs", o.timeoutMs, 30_000, 1),
    authenticateRedirects: trueOrFalse("authenticateRedirects", o.authenticateRedirects, false),
  };
}
