import { rsaPrivateDer, rsaPublicDer } from "../crypto/rsa-pem.ts";
import type { DataKey, Encryption } from "../encryption.ts";

const OAEP = { name: "RSA-OAEP", hash: "SHA-1" };
const AES = { name: "AES-GCM" };

/** The platform's types want buffers that are not shared, which ours never are. */
const plain = (bytes: Uint8Array): Uint8Array<ArrayBuffer> => bytes as Uint8Array<ArrayBuffer>;

async function result(work: Promise<ArrayBuffer>, failure: string): Promise<Uint8Array> {
  try {
    return new Uint8Array(await work);
  } catch (error) {
    // WebCrypto's own errors have no text
    throw new Error(failure, { cause: error });
  }
}

function dataKey(subtle: SubtleCrypto, key: Uint8Array): DataKey {
  let imported: Promise<CryptoKey> | undefined;
  const withKey = async (use: (key: CryptoKey) => Promise<ArrayBuffer>, failure: string): Promise<Uint8Array> => {
    imported ??= subtle.importKey("raw", plain(key), AES, false, ["encrypt", "decrypt"]);
    return result(use(await imported), failure);
  };
  return {
    encrypt: (iv, bytes) =>
      withKey((k) => subtle.encrypt({ ...AES, iv: plain(iv) }, k, plain(bytes)), "encrypting failed"),
    decrypt: (iv, bytes) =>
      withKey(
        (k) => subtle.decrypt({ ...AES, iv: plain(iv) }, k, plain(bytes)),
        "the data key is another one, or what was encrypted has been changed",
      ),
  };
}

/** End-to-end encryption by WebCrypto, which pages have in a secure context only (https, or localhost). */
export function createWebEncryption(
  subtle: SubtleCrypto | undefined = globalThis.crypto?.subtle,
): Encryption | undefined {
  if (subtle === undefined) return undefined;
  return {
    dataKey: (key) => dataKey(subtle, key),
    async wrap(publicKeyPem, key) {
      const publicKey = await subtle.importKey("spki", plain(rsaPublicDer(publicKeyPem)), OAEP, false, ["encrypt"]);
      return result(subtle.encrypt(OAEP, publicKey, plain(key)), "the public key could not encrypt the data key");
    },
    async unwrap(privateKeyPem, wrapped) {
      const privateKey = await subtle.importKey("pkcs8", plain(rsaPrivateDer(privateKeyPem)), OAEP, false, ["decrypt"]);
      return result(subtle.decrypt(OAEP, privateKey, plain(wrapped)), "the private key does not fit the data key");
    },
  };
}
