/** How a client says who it is. Asked again on each new connection and on each challenge of the broker. */
export interface Authentication {
  /** The name of the method on the wire, such as `token`. */
  readonly methodName: string;
  /** What proves it. `challenge` is the broker's, where it sent one. A rejection fails the connection. */
  authData(challenge?: Uint8Array): Uint8Array | string | Promise<Uint8Array | string>;
}

/** Authenticates by a token (JWT), given or asked for whenever one is needed. */
export function tokenAuthentication(token: string | (() => string | Promise<string>)): Authentication {
  return { methodName: "token", authData: () => (typeof token === "string" ? token : token()) };
}
