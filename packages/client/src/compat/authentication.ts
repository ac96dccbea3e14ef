import { type Authentication, tokenAuthentication } from "../auth/authentication.ts";
import { tlsAuthentication } from "../auth/authentication-files.ts";
import { oauth2Authentication } from "../auth/oauth2-authentication.ts";
import { present } from "./values.ts";

const MISSING = "Missing required parameter";

function parameters<T extends object>(params: T): T {
  if (typeof params !== "object" || params === null) throw new Error("Authentication parameter must be a object");
  return params;
}

/** What every authentication of this room is. */
export abstract class Authenticating {
  /** @internal Called when a client is made of it. */
  abstract credentials(): Authentication;
}

export class AuthenticationTls extends Authenticating {
  readonly #params: { certificatePath: string; privateKeyPath: string };

  constructor(params: { certificatePath: string; privateKeyPath: string }) {
    super();
    const { certificatePath, privateKeyPath } = parameters(params);
    if (typeof certificatePath !== "string" || typeof privateKeyPath !== "string") throw new Error(MISSING);
    this.#params = { certificatePath, privateKeyPath };
  }

  /** @internal */
  credentials(): Authentication {
    return tlsAuthentication(this.#params);
  }
}

export class AuthenticationToken extends Authenticating {
  readonly #token: string | (() => string | Promise<string>);

  constructor(params: { token: string | (() => string) | (() => Promise<string>) }) {
    super();
    const { token } = parameters(params);
    if (typeof token !== "string" && typeof token !== "function") throw new Error(MISSING);
    this.#token = token;
  }

  /** @internal */
  credentials(): Authentication {
    return tokenAuthentication(this.#token);
  }
}

export class AuthenticationBasic extends Authenticating {
  readonly #pair: string;

  constructor(params: { username: string; password: string }) {
    super();
    const { username, password } = parameters(params);
    if (typeof username !== "string" || typeof password !== "string") throw new Error(MISSING);
    this.#pair = `${username}:${password}`;
  }

  /** @internal */
  credentials(): Authentication {
    return { methodName: "basic", authData: () => this.#pair };
  }
}

export interface Oauth2Params {
  type: string;
  issuer_url: string;
  client_id?: string;
  client_secret?: string;
  private_key?: string;
  audience?: string;
  scope?: string;
}

export class AuthenticationOauth2 extends Authenticating {
  readonly #params: Oauth2Params;

  constructor(params: Oauth2Params) {
    super();
    this.#params = parameters(params);
  }

  /** @internal */
  credentials(): Authentication {
    const { issuer_url: issuerUrl, client_id, client_secret, private_key, audience, scope } = this.#params;
    if (private_key === undefined && (client_id === undefined || client_secret === undefined)) throw new Error(MISSING);
    const given = { client_id: client_id ?? "", client_secret: client_secret ?? "" };
    const credentials = private_key ?? given;
    return oauth2Authentication({ issuerUrl, credentials, ...present({ audience, scope }) });
  }
}

export interface AthenzConfig {
  tenantDomain: string;
  tenantService: string;
  providerDomain: string;
  privateKey: string;
  ztsUrl: string;
  keyId?: string;
  principalHeader?: string;
  roleHeader?: string;
  caCert?: string;
  /** @deprecated */
  tokenExpirationTime?: string;
}

export interface AthenzX509Config {
  providerDomain: string;
  privateKey: string;
  x509CertChain: string;
  ztsUrl: string;
  roleHeader?: string;
  caCert?: string;
}

/** Not supported: its constructor throws. */
export class AuthenticationAthenz extends Authenticating {
  constructor(_params: string | AthenzConfig | AthenzX509Config) {
    super();
    throw new Error(
      "Athenz is not supported: authenticate by AuthenticationToken with a function that asks ZTS for a role token, " +
        "or by AuthenticationTls with a role certificate",
    );
  }

  /** @internal */
  credentials(): Authentication {
    return { methodName: "none", authData: () => "" };
  }
}
