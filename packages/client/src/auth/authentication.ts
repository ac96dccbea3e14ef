import type { ClientRuntime } from "@pulsewire/runtime";
import { checkOptions, describe } from "../check-options.ts";
import { InvalidConfigurationError, PulsarError, TimeoutError } from "../errors.ts";
import { Waits } from "../waits.ts";

/** A certificate and its key, as PEM texts. */
export interface ClientCertificate {
  readonly cert: string;
  readonly key: string;
}

/**
 * How a client says who it is. Asked again on each new connection, on each request over HTTP and on each challenge of the
 * broker. `runtime` is the client's: its clock, its network, and how it reads files.
 */
export interface Authentication {
  /** The name of the method on the wire, such as `token`. */
  readonly methodName: string;
  /** What proves it. `challenge` is the broker's, where it sent one. A rejection fails the connection. */
  authData(challenge?: Uint8Array, runtime?: ClientRuntime): Uint8Array | string | Promise<Uint8Array | string>;
  /** The certificate to connect with, where that is what proves it. */
  certificate?(runtime: ClientRuntime): ClientCertificate | Promise<ClientCertificate>;
}

/** Authenticates by a token (JWT), given or asked for whenever one is needed. */
export function tokenAuthentication(token: string | (() => string | Promise<string>)): Authentication {
  if (typeof token !== "function" && (typeof token !== "string" || token === "")) {
    throw new InvalidConfigurationError(`tokenAuthentication takes a token or a function, not ${describe(token)}`);
  }
  return { methodName: "token", authData: async () => checkToken(typeof token === "string" ? token : await token()) };
}

/** What is no token must not end up in a frame or a header. */
function checkToken(token: unknown): string {
  if (typeof token === "string" && token !== "") return token;
  throw new InvalidConfigurationError(`the function given to tokenAuthentication answered ${describe(token)}`);
}

/** Authenticates by a user and a password. */
export function basicAuthentication(options: { userId: string; password: string }): Authentication {
  checkOptions("basicAuthentication", options, { userId: true, password: true });
  const { userId, password } = options ?? {};
  if (typeof userId !== "string" || userId === "" || userId.includes(":") || typeof password !== "string") {
    throw new InvalidConfigurationError("basicAuthentication takes a userId, without a colon, and a password");
  }
  return { methodName: "basic", authData: () => `${userId}:${password}` };
}

/** Throws an InvalidConfigurationError for what is none. */
export function checkAuthentication(value: unknown): Authentication | undefined {
  if (value === undefined) return undefined;
  const candidate = value as Partial<Authentication> | null;
  if (typeof candidate?.authData === "function" && typeof candidate.methodName === "string")
    return candidate as Authentication;
  throw new InvalidConfigurationError(
    `authentication takes one such as tokenAuthentication(...), not ${describe(value)}`,
  );
}

/** An authentication that is always asked with the client's runtime. */
export interface BoundAuthentication {
  readonly methodName: string;
  authData(challenge?: Uint8Array): Uint8Array | string | Promise<Uint8Array | string>;
  readonly certificate: (() => ClientCertificate | Promise<ClientCertificate>) | undefined;
}

/** How long credentials may take where nothing else is said, in ms. */
const CREDENTIALS_MS_MAX = 10_000;

/** Credentials are waited for no longer than `timeoutMs`, and not beyond the end of `waits`. */
export function bindAuthentication(
  authentication: Authentication | undefined,
  runtime: ClientRuntime,
  waits: Waits = new Waits(runtime.clock),
  timeoutMs: number = CREDENTIALS_MS_MAX,
): BoundAuthentication | undefined {
  if (authentication === undefined) return undefined;
  const { methodName } = authentication;
  const late = (): PulsarError =>
    new TimeoutError(`the authentication (${methodName}) gave no credentials within ${timeoutMs} ms`);
  const ask = async <T>(give: () => T | Promise<T>): Promise<T> => {
    try {
      const given = give();
      return given instanceof Promise ? await waits.bounded(given, timeoutMs, late) : given;
    } catch (error) {
      throw error instanceof PulsarError ? error : credentialsFailed(methodName, error);
    }
  };
  return {
    methodName,
    authData: (challenge) => ask(() => authentication.authData(challenge, runtime)),
    certificate:
      authentication.certificate === undefined
        ? undefined
        : () =>
            ask(() => authentication.certificate?.(runtime) as ReturnType<NonNullable<Authentication["certificate"]>>),
  };
}

/** What the application's own code threw. It may be different the next time, but nobody can tell. */
function credentialsFailed(methodName: string, error: unknown): PulsarError {
  const reason = error instanceof Error ? error.message : String(error);
  const detail = `the authentication (${methodName}) gave no credentials: ${reason}`;
  return new PulsarError("AuthenticationError", detail, { cause: error });
}
