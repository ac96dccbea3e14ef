import {
  constants,
  createCipheriv,
  createDecipheriv,
  createPrivateKey,
  createPublicKey,
  privateDecrypt,
  publicEncrypt,
} from "node:crypto";
import { rsaPrivateDer, rsaPublicDer } from "../crypto/rsa-pem.ts";
import type { DataKey, Encryption } from "../encryption.ts";

const TAG_BYTES = 16;
const OAEP = { padding: constants.RSA_PKCS1_OAEP_PADDING, oaepHash: "sha1" };

function dataKey(key: Uint8Array): DataKey {
  return {
    encrypt(iv, bytes) {
      const cipher = createCipheriv("aes-256-gcm", key, iv, { authTagLength: TAG_BYTES });
      const out = new Uint8Array(bytes.length + TAG_BYTES);
      out.set(cipher.update(bytes), 0);
      cipher.final();
      out.set(cipher.getAuthTag(), bytes.length);
      return out;
    },
    decrypt(iv, bytes) {
      if (bytes.length < TAG_BYTES) throw new Error("what is encrypted is shorter than its tag");
      const end = bytes.length - TAG_BYTES;
      const decipher = createDecipheriv("aes-256-gcm", key, iv, { authTagLength: TAG_BYTES });
      decipher.setAuthTag(bytes.subarray(end));
      const out = decipher.update(bytes.subarray(0, end));
      decipher.final();
      return out;
    },
  };
}

/** End-to-end encryption by Node's crypto: every answer comes at once. */
export const nodeEncryption: Encryption = {
  dataKey,
  wrap(publicKeyPem, key) {
    const publicKey = createPublicKey({ key: rsaPublicDer(publicKeyPem) as Buffer, format: "der", type: "spki" });
    return publicEncrypt({ key: publicKey, ...OAEP }, key);
  },
  unwrap(privateKeyPem, wrapped) {
    const privateKey = createPrivateKey({ key: rsaPrivateDer(privateKeyPem) as Buffer, format: "der", type: "pkcs8" });
    return privateDecrypt({ key: privateKey, ...OAEP }, wrapped);
  },
};
