import { type FetchOptions, type Network, NetworkError } from "@pulsewire/runtime";
import { authorizationHeaders } from "../auth/authorization-headers.ts";
import { checkOptions, describe, trueOrFalse, wholeNumber } from "../check-options.ts";
import { InvalidConfigurationError, PulsarError, toPulsarError } from "../errors.ts";
import { AdminError, reasonOf } from "./admin-error.ts";
import type { ResolvedAdminOptions } from "./admin-options.ts";

/** What every call takes last. */
export interface RequestOptions {
  /** Gives up with code `Aborted`. */
  signal?: AbortSignal;
  /** Takes the place of the client's. */
  timeoutMs?: number;
}

export type Method = "GET" | "PUT" | "POST" | "DELETE";
type QueryValue = string | number | boolean | undefined;

export interface AdminRequest extends RequestOptions {
  readonly query?: Readonly<Record<string, QueryValue>>;
  /** Sent as JSON, whatever it is. */
  readonly body?: unknown;
}

const REDIRECTS_MAX = 20;
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);
/** Failures before a connection was there: the request cannot have been taken. */
const NEVER_SENT: ReadonlySet<unknown> = new Set(["ECONNREFUSED", "ENOTFOUND", "EHOSTUNREACH", "EAI_AGAIN"]);

/** Requests to one of a cluster's web services, and the next where it is not there. */
export class AdminHttp {
  readonly #network: Network;
  readonly #options: ResolvedAdminOptions;
  /** The host that answered last. */
  #current = 0;

  constructor(network: Network, options: ResolvedAdminOptions) {
    this.#network = network;
    this.#options = options;
  }

  /** The answer as JSON; undefined for an empty one. Rejects with an AdminError, or a PulsarError for no answer. */
  async json<T>(method: Method, path: string, request: AdminRequest = {}): Promise<T> {
    const text = await (await this.send(method, path, request)).text();
    if (text === "") return undefined as T;
    try {
      return JSON.parse(text) as T;
    } catch (error) {
      throw new PulsarError("ProtocolViolation", `${method} ${path} was answered with no JSON`, { cause: error });
    }
  }

  /** As `json`; text that is no JSON as it is: Pulsar says of both that they are JSON. */
  async any(method: Method, path: string, request: AdminRequest): Promise<unknown> {
    const text = await (await this.send(method, path, request)).text();
    if (text === "") return undefined;
    try {
      return JSON.parse(text);
    } catch {
      // a version is no JSON, and a whole answer
      return text;
    }
  }

  async text(method: Method, path: string, request: AdminRequest = {}): Promise<string> {
    return (await this.send(method, path, request)).text();
  }

  /** For what is answered with nothing of interest. */
  async done(method: Method, path: string, request: AdminRequest = {}): Promise<void> {
    await this.send(method, path, request);
  }

  async send(method: Method, path: string, request: AdminRequest = {}): Promise<Response> {
    checkRequest(method, path, request);
    const { origins } = this.#options;
    const target = `${path}${queryText(request.query)}`;
    for (let tried = 1; ; tried++) {
      const origin = origins[this.#current % origins.length] as string;
      try {
        const response = await this.#follow(new URL(target, origin), method, request);
        if (response.ok) return response;
        throw new AdminError(response.status, reasonOf(await response.text()), `${method} ${path}`);
      } catch (error) {
        if (!(error instanceof NetworkError)) throw error;
        if (tried >= origins.length || !mayRepeat(method, error)) throw toPulsarError(error);
        this.#current++;
      }
    }
  }

  async #follow(first: URL, method: Method, request: AdminRequest): Promise<Response> {
    let url = first;
    let response = await this.#fetch(url, method, request);
    if (!this.#options.authenticateRedirects) return response;
    for (let redirects = 0; REDIRECTS.has(response.status); redirects++) {
      const location = response.headers.get("location");
      if (location === null) return response;
      if (redirects === REDIRECTS_MAX) {
        throw new PulsarError("TooManyLookupRedirects", `${first} redirects more than ${REDIRECTS_MAX} times`);
      }
      url = new URL(location, url);
      response = await this.#fetch(url, method, request);
    }
    return response;
  }

  async #fetch(url: URL, method: Method, { body, signal, timeoutMs }: AdminRequest): Promise<Response> {
    const { authentication, tls, timeoutMs: otherwise, authenticateRedirects } = this.#options;
    const headers: Record<string, string> = { accept: "*/*", ...(await authorizationHeaders(authentication)) };
    const init: RequestInit = { method, headers, redirect: authenticateRedirects ? "manual" : "follow" };
    if (body !== undefined) {
      headers["content-type"] = "application/json";
      init.body = JSON.stringify(body);
    }
    if (signal !== undefined) {
      if (signal.aborted) throw new NetworkError("Aborted", `the request to ${url} was aborted`);
      init.signal = signal;
    }
    const options: FetchOptions = { timeoutMs: timeoutMs ?? otherwise };
    const certificate = await authentication?.certificate?.();
    if (tls !== undefined || certificate !== undefined) options.tls = { ...tls, ...certificate };
    return this.#network.fetch(new Request(url, init), options);
  }
}

const REQUEST = { signal: true, timeoutMs: true, query: true, body: true } as const;

/** What is left of a call's options is the request's: a name that is none of those was misspelt. */
function checkRequest(method: Method, path: string, request: AdminRequest): void {
  checkOptions(`${method} ${path}`, request, REQUEST);
  wholeNumber("timeoutMs", request.timeoutMs, 0, 1);
  const { signal } = request;
  if (signal !== undefined && typeof (signal as AbortSignal | null)?.addEventListener !== "function") {
    throw new InvalidConfigurationError(`signal takes an AbortSignal, not ${describe(signal)}`);
  }
}

/** The request of a call with flags of its own, each with its default, which go into the query. */
export function flagged(
  call: string,
  options: RequestOptions | undefined,
  flags: Readonly<Record<string, boolean | undefined>>,
): AdminRequest {
  const known: Record<string, true> = { signal: true, timeoutMs: true };
  for (const name of Object.keys(flags)) known[name] = true;
  checkOptions(call, options, known);
  const query: Record<string, boolean | undefined> = {};
  const request: Record<string, unknown> = { query };
  const given = (options ?? {}) as Record<string, unknown>;
  for (const [name, byDefault] of Object.entries(flags)) {
    query[name] = given[name] === undefined ? byDefault : trueOrFalse(name, given[name], false);
  }
  for (const name of ["signal", "timeoutMs"]) if (given[name] !== undefined) request[name] = given[name];
  return request as AdminRequest;
}

function queryText(query: AdminRequest["query"] = {}): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) if (value !== undefined) search.set(name, String(value));
  const text = search.toString();
  return text === "" ? "" : `?${text}`;
}

/** A request that may be done twice may be sent to the next host; any other only when the first never got it. */
function mayRepeat(method: Method, error: NetworkError): boolean {
  if (error.code !== "ConnectFailed") return false;
  if (method !== "POST") return true;
  const cause = error.cause as { code?: unknown; errors?: { code?: unknown }[] } | undefined;
  // Node tells of a host with several addresses by one error that holds one for each
  const codes = [cause?.code, ...(cause?.errors ?? []).map((e) => e.code)];
  return codes.some((code) => NEVER_SENT.has(code));
}
