import { toBase64 } from "../producing/producer-message.ts";
import type { BoundAuthentication } from "./authentication.ts";

/** The headers that say over HTTP who asks. What a certificate proves needs none. */
export async function authorizationHeaders(
  auth: Pick<BoundAuthentication, "methodName" | "authData"> | undefined,
): Promise<Record<string, string>> {
  if (auth === undefined || auth.methodName === "tls" || auth.methodName === "none") return {};
  const data = await auth.authData();
  const text = typeof data === "string" ? data : new TextDecoder().decode(data);
  const method = { "X-Pulsar-Auth-Method-Name": auth.methodName };
  if (auth.methodName !== "basic") return { ...method, authorization: `Bearer ${text}` };
  return { ...method, authorization: `Basic ${toBase64(new TextEncoder().encode(text))}` };
}
