import type { ClientRuntime } from "@pulsewire/runtime";
import { checkOptions, describe } from "../check-options.ts";
import { InvalidConfigurationError } from "../errors.ts";

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

export function bindAuthentication(
  authentication: Authentication | undefined,
  runtime: ClientRuntime,
): BoundAuthentication | undefined {
  if (authentication === undefined) return undefined;
  const { methodName } = authentication;
  return {
    methodName,
    authData: (challenge) => authentication.authData(challenge, runtime),
    certificate:
      authentication.certificate === undefined
        ? undefined
        : () => authentication.certificate?.(runtime) as ReturnType<NonNullable<Authentication["certificate"]>>,
  };
}
