import { checkOptions, describe, knownFunctions, optionalFunction, text } from "../check-options.ts";
import { InvalidConfigurationError } from "../errors.ts";

/** A key for end-to-end encryption. */
export interface EncryptionKeyInfo {
  /** An RSA key as PEM: SPKI or PKCS#1 for a public one, PKCS#8 or PKCS#1 for a private one. */
  readonly key: string | Uint8Array;
  /** Travels with each message, and is given to `getPrivateKey` of whoever receives it: a version, say. */
  readonly metadata?: Readonly<Record<string, string>>;
}

/**
 * Knows the keys of end-to-end encryption. Either method may answer by a promise; what they throw or reject with becomes the
 * cause of a PulsarError with code `CryptoError`.
 */
export interface CryptoKeyReader {
  /** The public key a producer encrypts for. */
  getPublicKey?(
    keyName: string,
    metadata: Readonly<Record<string, string>>,
  ): EncryptionKeyInfo | Promise<EncryptionKeyInfo>;
  /** The private key of a message's key name, with the metadata the message brings. */
  getPrivateKey?(
    keyName: string,
    metadata: Readonly<Record<string, string>>,
  ): EncryptionKeyInfo | Promise<EncryptionKeyInfo>;
}

export interface FixedKeys {
  /** PEM by key name. */
  publicKeys?: Readonly<Record<string, string | Uint8Array>>;
  /** PEM by key name. */
  privateKeys?: Readonly<Record<string, string | Uint8Array>>;
}

/**
 * A key reader over keys that are at hand.
 *
 * @example
 * const cryptoKeyReader = fixedKeys({ publicKeys: { orders: publicPem }, privateKeys: { orders: privatePem } });
 */
export function fixedKeys(keys: FixedKeys): CryptoKeyReader {
  checkFixedKeys(keys);
  const find = (kind: "publicKeys" | "privateKeys") => {
    const known = keys[kind];
    return (name: string): EncryptionKeyInfo => {
      const key = known !== undefined && Object.hasOwn(known, name) ? known[name] : undefined;
      if (key === undefined) throw new InvalidConfigurationError(`${kind} has no key ${JSON.stringify(name)}`);
      return { key };
    };
  };
  return { getPublicKey: find("publicKeys"), getPrivateKey: find("privateKeys") };
}

function checkFixedKeys(keys: FixedKeys): void {
  const kinds = { publicKeys: true, privateKeys: true } as const;
  checkOptions("fixedKeys", keys ?? null, kinds);
  if (keys.publicKeys === undefined && keys.privateKeys === undefined) {
    throw new InvalidConfigurationError("fixedKeys takes publicKeys, privateKeys or both");
  }
  for (const kind of ["publicKeys", "privateKeys"] as const) {
    const known: unknown = keys[kind];
    if (known === undefined) continue;
    if (typeof known !== "object" || known === null) {
      throw new InvalidConfigurationError(`${kind} takes an object of keys by their names, not ${describe(known)}`);
    }
    for (const [name, key] of Object.entries(known)) checkKeyInfo({ key: key as string }, name);
  }
}

/** Throws an InvalidConfigurationError for what is no key reader. */
export function checkKeyReader(value: unknown): CryptoKeyReader | undefined {
  if (value === undefined) return undefined;
  if (typeof value !== "object" || value === null) {
    throw new InvalidConfigurationError(
      `cryptoKeyReader takes an object with getPublicKey or getPrivateKey, not ${describe(value)}`,
    );
  }
  const reader = value as CryptoKeyReader;
  knownFunctions("cryptoKeyReader", reader, { getPublicKey: true, getPrivateKey: true });
  optionalFunction("cryptoKeyReader.getPublicKey", reader.getPublicKey);
  optionalFunction("cryptoKeyReader.getPrivateKey", reader.getPrivateKey);
  return reader;
}

/** The key, once it is sure to be one. */
export function checkKeyInfo(info: EncryptionKeyInfo | undefined, name: string): EncryptionKeyInfo {
  const key = info?.key;
  if (key instanceof Uint8Array && key.length > 0) return info as EncryptionKeyInfo;
  text(`the key ${JSON.stringify(name)}`, key);
  return info as EncryptionKeyInfo;
}
