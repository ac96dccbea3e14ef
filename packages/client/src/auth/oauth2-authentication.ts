import type { ClientRuntime, ClientTlsOptions } from "@pulsewire/runtime";
import { checkOptions, optionalText, text, wholeNumber } from "../check-options.ts";
import { InvalidConfigurationError, PulsarError, toPulsarError } from "../errors.ts";
import type { Authentication } from "./authentication.ts";
import { readText } from "./authentication-files.ts";

/** What an issuer knows a client by; the content of a key file. */
export interface OAuth2ClientCredentials {
  client_id: string;
  client_secret: string;
  /** Other fields of a key file, such as `type` and `client_email`, are not looked at. */
  [name: string]: unknown;
}

export interface OAuth2Options {
  /** Where the issuer is; its token endpoint is looked up at `/.well-known/openid-configuration` below it. */
  issuerUrl: string;
  /** The id and secret, or the key file they are in: a path, a `file://` or a `data:` URL. */
  credentials: OAuth2ClientCredentials | string;
  /** Whom the token is for. */
  audience?: string;
  scope?: string;
  /** Certificates for the connection to the issuer. */
  tls?: ClientTlsOptions;
  /** How long the issuer may take to answer, in ms. Default 10,000. */
  timeoutMs?: number;
}

interface Token {
  readonly value: string;
  /** By the client's monotonic clock: when it was had, and when it is to be renewed. */
  readonly hadMs: number;
  readonly renewMs: number;
}

/** A token is renewed when so much of its life is over. */
const RENEW_AFTER = 0.9;
/** Of a token without a life time. */
const LIFE_SECONDS = 3600;
/** A broker that asks again so soon after a token was had does not get yet another one. */
const FRESH_MS = 1000;

/**
 * Authenticates by OAuth 2.0 client credentials: asks an issuer for a token, keeps it for all connections, and asks for
 * the next one before it expires.
 *
 * @example
 * const authentication = oauth2Authentication({
 *   issuerUrl: "https://issuer.example.com",
 *   credentials: "/etc/pulsar/key.json",
 *   audience: "urn:pulsar",
 * });
 */
export function oauth2Authentication(options: OAuth2Options): Authentication {
  const issuer = new TokenIssuer(resolve(options));
  return {
    methodName: "token",
    authData(challenge, runtime): Promise<string> {
      if (runtime === undefined) throw new InvalidConfigurationError("oauth2Authentication needs the client's runtime");
      return issuer.token(runtime, challenge !== undefined);
    },
  };
}

const OPTIONS: Readonly<Record<keyof OAuth2Options, true>> = {
  issuerUrl: true,
  credentials: true,
  audience: true,
  scope: true,
  tls: true,
  timeoutMs: true,
};

function resolve(options: OAuth2Options): OAuth2Options {
  checkOptions("oauth2Authentication", options, OPTIONS);
  const { issuerUrl, credentials, audience, scope, timeoutMs } = options ?? {};
  const url = text("issuerUrl", issuerUrl);
  if (!/^https?:\/\//.test(url) || !URL.canParse(url)) {
    throw new InvalidConfigurationError(`issuerUrl takes an http or https URL, not ${JSON.stringify(url)}`);
  }
  if (typeof credentials === "string") text("credentials", credentials);
  else checkCredentials(credentials);
  optionalText("audience", audience);
  optionalText("scope", scope);
  return { ...options, timeoutMs: wholeNumber("timeoutMs", timeoutMs, 10_000, 1) };
}

function checkCredentials(value: unknown): OAuth2ClientCredentials {
  const { client_id: id, client_secret: secret } = (value ?? {}) as Partial<OAuth2ClientCredentials>;
  if (typeof id === "string" && id !== "" && typeof secret === "string") return value as OAuth2ClientCredentials;
  throw new InvalidConfigurationError("credentials takes an object, or a key file, with client_id and client_secret");
}

class TokenIssuer {
  readonly #options: OAuth2Options;
  #token: Token | undefined;
  /** The request under way, which everybody who needs a token meanwhile waits for. */
  #asking: Promise<Token> | undefined;

  constructor(options: OAuth2Options) {
    this.#options = options;
  }

  async token(runtime: ClientRuntime, challenged: boolean): Promise<string> {
    const nowMs = runtime.clock.monotonicMs();
    const token = this.#token;
    if (token !== undefined && nowMs < token.renewMs && (!challenged || nowMs - token.hadMs < FRESH_MS)) {
      return token.value;
    }
    this.#asking ??= this.#ask(runtime).finally(() => {
      this.#asking = undefined;
    });
    this.#token = await this.#asking;
    return this.#token.value;
  }

  async #ask(runtime: ClientRuntime): Promise<Token> {
    const { credentials, audience, scope } = this.#options;
    const { client_id, client_secret } =
      typeof credentials === "string" ? await keyFile(credentials, runtime) : credentials;
    const form = new URLSearchParams({ grant_type: "client_credentials", client_id, client_secret });
    if (audience !== undefined) form.set("audience", audience);
    if (scope !== undefined) form.set("scope", scope);
    const endpoint = await this.#endpoint(runtime);
    const answer = await this.#json(runtime, new Request(endpoint, { method: "POST", body: form, redirect: "error" }));
    const { access_token: value, expires_in: expiresIn } = answer;
    if (typeof value !== "string" || value === "") throw failed(`${endpoint} answered without an access_token`);
    const lifeSeconds = Number(expiresIn) > 0 ? Number(expiresIn) : LIFE_SECONDS;
    const hadMs = runtime.clock.monotonicMs();
    return { value, hadMs, renewMs: hadMs + lifeSeconds * 1000 * RENEW_AFTER };
  }

  async #endpoint(runtime: ClientRuntime): Promise<string> {
    const url = `${this.#options.issuerUrl.replace(/\/$/, "")}/.well-known/openid-configuration`;
    const { token_endpoint: endpoint } = await this.#json(runtime, new Request(url));
    if (typeof endpoint !== "string" || !URL.canParse(endpoint)) throw failed(`${url} names no token_endpoint`);
    return endpoint;
  }

  async #json(runtime: ClientRuntime, request: Request): Promise<Record<string, unknown>> {
    const { tls, timeoutMs = 10_000 } = this.#options;
    const { url } = request;
    let response: Response;
    try {
      response = await runtime.network.fetch(request, { timeoutMs, ...(tls === undefined ? {} : { tls }) });
    } catch (error) {
      throw failed(`the issuer at ${url}: ${toPulsarError(error).message}`, error, true);
    }
    const body = await parsed(response);
    if (response.ok && body !== undefined) return body;
    const why = body?.error_description ?? body?.error ?? `status ${response.status}`;
    throw failed(`${url} refused: ${String(why)}`, undefined, response.status >= 500 || response.status === 429);
  }
}

async function parsed(response: Response): Promise<Record<string, unknown> | undefined> {
  try {
    const body: unknown = await response.json();
    return typeof body === "object" && body !== null ? (body as Record<string, unknown>) : undefined;
  } catch {
    // a page of a proxy, say: the status tells what there is to tell
    return undefined;
  }
}

function failed(detail: string, cause?: unknown, retryable = false): PulsarError {
  return new PulsarError("AuthenticationError", detail, cause === undefined ? { retryable } : { cause, retryable });
}

const DATA_URL = /^data:application\/json(;base64)?,(.*)$/s;

async function keyFile(place: string, runtime: ClientRuntime): Promise<OAuth2ClientCredentials> {
  const data = DATA_URL.exec(place);
  const content =
    data === null
      ? await readText(place.startsWith("file://") ? decodeURIComponent(new URL(place).pathname) : place, runtime)
      : data[1] === undefined
        ? decodeURIComponent(data[2] ?? "")
        : new TextDecoder().decode(Uint8Array.from(atob(data[2] ?? ""), (c) => c.charCodeAt(0)));
  try {
    return checkCredentials(JSON.parse(content));
  } catch (error) {
    throw failed(`the key file ${data === null ? place : "in the data: URL"} is none: ${String(error)}`, error);
  }
}
