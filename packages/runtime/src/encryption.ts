/** A data key, ready to be used. AES-256 in Galois/Counter Mode; what comes out of `encrypt` ends with the 16-byte tag. */
export interface DataKey {
  encrypt(iv: Uint8Array, bytes: Uint8Array): Uint8Array | Promise<Uint8Array>;
  /** Throws or rejects when the key is another one, or a byte was changed. */
  decrypt(iv: Uint8Array, bytes: Uint8Array): Uint8Array | Promise<Uint8Array>;
}

/**
 * End-to-end encryption as the platform can do it. Every method may answer at once or by a promise; all throw or reject
 * with a plain error that says what was wrong.
 */
export interface Encryption {
  /** `key` has 32 bytes. */
  dataKey(key: Uint8Array): DataKey;
  /** Encrypts a data key by RSA-OAEP (SHA-1) with a public key: PEM, as SPKI or PKCS#1. */
  wrap(publicKeyPem: string | Uint8Array, dataKey: Uint8Array): Uint8Array | Promise<Uint8Array>;
  /** The opposite, with a private key: PEM, as PKCS#8 or PKCS#1. */
  unwrap(privateKeyPem: string | Uint8Array, wrapped: Uint8Array): Uint8Array | Promise<Uint8Array>;
}
