const ascii = new TextDecoder();

/** rsaEncryption with no parameters, as an AlgorithmIdentifier. */
const RSA_ALGORITHM = [0x30, 13, 0x06, 9, 0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 1, 1, 1, 0x05, 0];
/** The object identifier of rsaEncryption, as it stands in a key of either form. */
const RSA_IDENTIFIER = RSA_ALGORITHM.slice(2, 13);
const VERSION_0 = [0x02, 1, 0];

/** A DER element: tag, length, content. */
function element(tag: number, content: readonly number[]): number[] {
  const { length } = content;
  if (length < 128) return [tag, length, ...content];
  if (length < 256) return [tag, 0x81, length, ...content];
  return [tag, 0x82, length >> 8, length & 255, ...content];
}

function decodePem(pem: string | Uint8Array): { label: string; der: number[] } {
  const text = typeof pem === "string" ? pem : ascii.decode(pem);
  const match = /-----BEGIN ([A-Z0-9 ]+)-----([\s\S]+?)-----END \1-----/.exec(text);
  if (match === null) throw new Error("the key is not PEM: no BEGIN and END lines");
  const [, label = "", body = ""] = match;
  if (/^(Proc-Type|DEK-Info):/m.test(body) || label === "ENCRYPTED PRIVATE KEY") {
    throw new Error("the key is protected by a passphrase, which is not supported");
  }
  let binary: string;
  try {
    binary = atob(body.replace(/\s+/g, ""));
  } catch (error) {
    throw new Error("the key is not PEM: its body is not base64", { cause: error });
  }
  return { label, der: Array.from(binary, (c) => c.charCodeAt(0)) };
}

function checkRsa(der: readonly number[]): Uint8Array {
  const start = der.slice(0, 40);
  const found = start.some((_, at) => RSA_IDENTIFIER.every((byte, i) => start[at + i] === byte));
  if (!found) throw new Error("the key is not an RSA key, which is the one kind that is supported");
  return Uint8Array.from(der);
}

/** An RSA public key of any PEM form, as the DER of a SubjectPublicKeyInfo. */
export function rsaPublicDer(pem: string | Uint8Array): Uint8Array {
  const { label, der } = decodePem(pem);
  if (label === "PUBLIC KEY") return checkRsa(der);
  if (label !== "RSA PUBLIC KEY") throw new Error(`a public key is needed, this is a ${label}`);
  return Uint8Array.from(element(0x30, [...RSA_ALGORITHM, ...element(0x03, [0, ...der])]));
}

/** An RSA private key of any PEM form, as the DER of PKCS#8. */
export function rsaPrivateDer(pem: string | Uint8Array): Uint8Array {
  const { label, der } = decodePem(pem);
  if (label === "PRIVATE KEY") return checkRsa(der);
  if (label !== "RSA PRIVATE KEY") throw new Error(`a private key is needed, this is a ${label}`);
  return Uint8Array.from(element(0x30, [...VERSION_0, ...RSA_ALGORITHM, ...element(0x04, der)]));
}
