import { generateKeyPairSync, webcrypto } from "node:crypto";
import { describe, expect, it } from "vitest";
import { nodeEncryption } from "../node/node-encryption.ts";
import { createWebEncryption } from "../web/web-encryption.ts";

const web = createWebEncryption(webcrypto.subtle as SubtleCrypto);
if (web === undefined) throw new Error("WebCrypto is missing");
const platforms = { node: nodeEncryption, web };

const pair = generateKeyPairSync("rsa", { modulusLength: 2048 });
const other = generateKeyPairSync("rsa", { modulusLength: 2048 });
const publicKeys = ["spki", "pkcs1"].map((type) => pair.publicKey.export({ type: type as "spki", format: "pem" }));
const privateKeys = ["pkcs8", "pkcs1"].map((type) => pair.privateKey.export({ type: type as "pkcs8", format: "pem" }));
const key = new Uint8Array(32).map((_, i) => i * 3);
const iv = new Uint8Array(12).fill(5);
const payload = new TextEncoder().encode("for your eyes only");

describe.each(["node", "web"] as const)("encryption by %s", (name) => {
  const encryption = platforms[name];
  const theOther = platforms[name === "node" ? "web" : "node"];

  it("wraps a data key with every form of a public key, and unwraps it with every form of the private one", async () => {
    for (const publicKey of publicKeys) {
      for (const privateKey of privateKeys) {
        const wrapped = await encryption.wrap(publicKey, key);
        expect(wrapped.length).toBe(256);
        expect(new Uint8Array(await theOther.unwrap(new TextEncoder().encode(String(privateKey)), wrapped))).toEqual(
          key,
        );
      }
    }
  });

  it("encrypts what the other platform decrypts", async () => {
    const encrypted = await encryption.dataKey(key).encrypt(iv, payload);
    expect(encrypted.length).toBe(payload.length + 16);
    expect(new Uint8Array(await theOther.dataKey(key).decrypt(iv, encrypted))).toEqual(payload);
  });

  it("refuses what was changed, cut, or encrypted with another key", async () => {
    const encrypted = await encryption.dataKey(key).encrypt(iv, payload);
    const attempt = async (use: Uint8Array, bytes: Uint8Array): Promise<Uint8Array> =>
      encryption.dataKey(use).decrypt(iv, bytes);
    const changed = encrypted.slice();
    changed[3] = (changed[3] as number) ^ 1;
    await expect(attempt(key, changed)).rejects.toThrow();
    await expect(attempt(key, encrypted.subarray(0, 10))).rejects.toThrow();
    await expect(
      attempt(
        key.map((b) => b ^ 1),
        encrypted,
      ),
    ).rejects.toThrow();
  });

  it("says what is wrong with a key", async () => {
    const ec = generateKeyPairSync("ec", { namedCurve: "P-256" });
    const wrap = async (pem: string): Promise<Uint8Array> => encryption.wrap(pem, key);
    const unwrap = async (pem: string | Buffer): Promise<Uint8Array> =>
      encryption.unwrap(pem, await encryption.wrap(publicKeys[0] as string, key));
    await expect(wrap("nothing")).rejects.toThrow("not PEM");
    await expect(wrap("-----BEGIN PUBLIC KEY-----\n!!!!\n-----END PUBLIC KEY-----")).rejects.toThrow("not base64");
    await expect(wrap(String(privateKeys[0]))).rejects.toThrow("a public key is needed");
    await expect(unwrap(String(publicKeys[0]))).rejects.toThrow("a private key is needed");
    await expect(wrap(String(ec.publicKey.export({ type: "spki", format: "pem" })))).rejects.toThrow("not an RSA key");
    const secret = { type: "pkcs8", format: "pem", cipher: "aes-256-cbc", passphrase: "x" } as const;
    await expect(unwrap(pair.privateKey.export(secret))).rejects.toThrow("passphrase");
    await expect(unwrap(other.privateKey.export({ type: "pkcs8", format: "pem" }))).rejects.toThrow();
  });
});
