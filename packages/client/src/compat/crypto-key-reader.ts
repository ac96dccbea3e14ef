import { type Buffer, readFile } from "./platform.ts";

export interface EncryptionKeyInfo {
  key: Buffer;
  metadata: { [key: string]: string };
}

/** Extend it and answer keys by their names. */
export class CryptoKeyReader {
  getPublicKey(keyName: string, _metadata: { [key: string]: string }): EncryptionKeyInfo {
    throw new Error(`no public key ${keyName}: getPublicKey is not overridden`);
  }

  getPrivateKey(keyName: string, _metadata: { [key: string]: string }): EncryptionKeyInfo {
    throw new Error(`no private key ${keyName}: getPrivateKey is not overridden`);
  }
}

/** Reads one key of each kind from files, whatever the name. */
export class FileKeyReader extends CryptoKeyReader {
  readonly #publicKeyPath: string | undefined;
  readonly #privateKeyPath: string | undefined;

  constructor(paths: { publicKeyPath?: string | undefined; privateKeyPath?: string | undefined }) {
    super();
    this.#publicKeyPath = paths.publicKeyPath;
    this.#privateKeyPath = paths.privateKeyPath;
  }

  override getPublicKey(keyName: string, metadata: { [key: string]: string }): EncryptionKeyInfo {
    if (this.#publicKeyPath === undefined) return super.getPublicKey(keyName, metadata);
    return { key: readFile("publicKeyPath", this.#publicKeyPath), metadata };
  }

  override getPrivateKey(keyName: string, metadata: { [key: string]: string }): EncryptionKeyInfo {
    if (this.#privateKeyPath === undefined) return super.getPrivateKey(keyName, metadata);
    return { key: readFile("privateKeyPath", this.#privateKeyPath), metadata };
  }
}
