import type { ClientRuntime } from "@pulsewire/runtime";
import { checkOptions, text } from "../check-options.ts";
import { InvalidConfigurationError, PulsarError } from "../errors.ts";
import type { Authentication } from "./authentication.ts";

/** Authenticates by a token that is read from a file whenever one is needed, so that it may be renewed there. */
export function tokenFileAuthentication(path: string): Authentication {
  const file = text("path", path);
  return {
    methodName: "token",
    async authData(_challenge, runtime): Promise<string> {
      const token = (await readText(file, runtime)).trim();
      if (token !== "") return token;
      throw new PulsarError("AuthenticationError", `the token file ${file} is empty`);
    },
  };
}

export interface TlsAuthenticationOptions {
  /** The client's certificate, with those between it and its authority, as PEM text. */
  certificate?: string;
  /** Its key, as PEM text. */
  privateKey?: string;
  /** A file with the certificate, read again for each connection. */
  certificatePath?: string;
  /** A file with the key. */
  privateKeyPath?: string;
}

const TLS_OPTIONS: Readonly<Record<keyof TlsAuthenticationOptions, true>> = {
  certificate: true,
  privateKey: true,
  certificatePath: true,
  privateKeyPath: true,
};

/** Authenticates by a TLS certificate; over `pulsar+ssl://` and `https://`. */
export function tlsAuthentication(options: TlsAuthenticationOptions): Authentication {
  checkOptions("tlsAuthentication", options, TLS_OPTIONS);
  const { certificate, privateKey, certificatePath, privateKeyPath } = options ?? {};
  const given = typeof certificate === "string" && typeof privateKey === "string";
  const inFiles = typeof certificatePath === "string" && typeof privateKeyPath === "string";
  if (given === inFiles) {
    throw new InvalidConfigurationError(
      "tlsAuthentication takes certificate and privateKey as PEM texts, or certificatePath and privateKeyPath",
    );
  }
  return {
    methodName: "tls",
    authData: () => "",
    async certificate(runtime) {
      if (given) return { cert: certificate, key: privateKey };
      return {
        cert: await readText(certificatePath as string, runtime),
        key: await readText(privateKeyPath as string, runtime),
      };
    },
  };
}

/** Reads a file where the platform can. Rejects with a PulsarError. */
export async function readText(path: string, runtime: ClientRuntime | undefined): Promise<string> {
  if (runtime?.readTextFile === undefined) {
    throw new PulsarError("Unsupported", `${path}: this platform reads no files`);
  }
  try {
    return await runtime.readTextFile(path);
  } catch (error) {
    throw new PulsarError("AuthenticationError", `${path} cannot be read: ${String(error)}`, { cause: error });
  }
}
