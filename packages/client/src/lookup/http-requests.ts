import type { ClientTlsOptions, Network } from "@pulsewire/runtime";
import { NetworkError } from "@pulsewire/runtime";
import type { BoundAuthentication } from "../auth/authentication.ts";
import { authorizationHeaders } from "../auth/authorization-headers.ts";
import { PulsarError, type PulsarErrorCode, toPulsarError } from "../errors.ts";
import { hostAndPort, type ServiceUrl } from "./service-url.ts";

export interface HttpRequestsOptions {
  readonly network: Network;
  readonly serviceUrl: ServiceUrl;
  readonly authentication: BoundAuthentication | undefined;
  readonly tls: ClientTlsOptions | undefined;
  readonly maxLookupRedirects: number;
  readonly operationTimeoutMs: number;
  /** Whether a broker that another one redirects to gets the credentials, though the service URL does not name it. */
  readonly authenticateRedirects: boolean;
}

const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/** GET requests to the brokers of a service URL, one host after the other until one answers, following redirects. */
export class HttpRequests {
  readonly #options: HttpRequestsOptions;
  /** The host that answered last. */
  #current = 0;

  constructor(options: HttpRequestsOptions) {
    this.#options = options;
  }

  /** The answer's JSON. Rejects with a PulsarError whose code tells the status. */
  async get(path: string, what: string): Promise<Record<string, unknown>> {
    const response = await this.#anyHost(path, what);
    const text = await response.text();
    if (!response.ok) throw refusal(response.status, text, what);
    try {
      return JSON.parse(text) as Record<string, unknown>;
    } catch (error) {
      throw new PulsarError("ProtocolViolation", `${what} was answered with no JSON`, { cause: error });
    }
  }

  async #anyHost(path: string, what: string): Promise<Response> {
    const { scheme, hosts } = this.#options.serviceUrl;
    for (let tried = 1; ; tried++) {
      const host = hosts[this.#current % hosts.length] ?? hosts[0];
      try {
        return await this.#follow(new URL(path, `${scheme}://${hostAndPort(host)}`), what);
      } catch (error) {
        if (!(error instanceof NetworkError)) throw error;
        if (tried >= hosts.length) throw toPulsarError(error);
        this.#current++;
      }
    }
  }

  async #follow(first: URL, what: string): Promise<Response> {
    let url = first;
    for (let redirects = 0; ; redirects++) {
      const response = await this.#fetch(url, "manual");
      // a page is told of no redirect: the browser follows by itself
      if (response.status === 0 || response.type === "opaqueredirect") return this.#fetch(url, "follow");
      const location = response.headers.get("location");
      if (!REDIRECTS.has(response.status) || location === null) return response;
      if (redirects >= this.#options.maxLookupRedirects) throw tooMany(what, this.#options.maxLookupRedirects);
      url = new URL(location, url);
      if (url.protocol !== first.protocol && url.protocol !== "https:") {
        throw new PulsarError("ProtocolViolation", `${what} was redirected from ${first.origin} to ${url.origin}`);
      }
    }
  }

  async #fetch(url: URL, redirect: "manual" | "follow"): Promise<Response> {
    const { network, authentication, operationTimeoutMs } = this.#options;
    const trusted = this.#mayAuthenticate(url);
    const headers = { accept: "application/json", ...(trusted ? await authorizationHeaders(authentication) : {}) };
    const certificate = trusted ? await authentication?.certificate?.() : undefined;
    const tls = { ...this.#options.tls, ...certificate };
    return network.fetch(new Request(url, { headers, redirect }), { timeoutMs: operationTimeoutMs, tls });
  }

  #mayAuthenticate(url: URL): boolean {
    const { serviceUrl, authenticateRedirects } = this.#options;
    if (authenticateRedirects) return true;
    const port = url.port || (url.protocol === "https:" ? "443" : "80");
    const name = url.hostname.replace(/^\[|\]$/g, "");
    return (
      url.protocol === `${serviceUrl.scheme}:` &&
      serviceUrl.hosts.some((h) => h.host.toLowerCase() === name && String(h.port) === port)
    );
  }
}

export function tooMany(what: string, max: number): PulsarError {
  const detail = `${what} was redirected more than ${max} times; the brokers may not agree who owns it`;
  return new PulsarError("TooManyLookupRedirects", detail, { retryable: true });
}

const CODES: Readonly<Record<number, PulsarErrorCode>> = {
  400: "InvalidTopicName",
  401: "AuthenticationError",
  403: "AuthorizationError",
  404: "TopicNotFound",
  405: "NotAllowedError",
  406: "InvalidTopicName",
  412: "InvalidTopicName",
  429: "TooManyRequests",
};

/** What a status means, as the binary protocol would have said it. */
function refusal(status: number, text: string, what: string): PulsarError {
  const code = CODES[status] ?? "ServiceNotReady";
  const retryable = code === "ServiceNotReady" || code === "TooManyRequests";
  return new PulsarError(code, `${what}: status ${status}, ${reasonIn(text)}`, { retryable });
}

function reasonIn(text: string): string {
  try {
    const { reason, message } = JSON.parse(text) as { reason?: unknown; message?: unknown };
    if (typeof (reason ?? message) === "string") return String(reason ?? message);
  } catch {
    // a page of a proxy, say
  }
  return text === "" ? "no reason given" : text.slice(0, 200);
}
