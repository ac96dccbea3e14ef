// not by name: what tests put in the place of `http.request` is to be seen here

import http, { type IncomingMessage } from "node:http";
import https from "node:https";
import { DELAY_MAX_MS } from "../kit/long-timer.ts";
import { readAll } from "../kit/read-all.ts";
import { ANSWER_BYTES_MAX, type FetchOptions, NetworkError } from "../network.ts";
import { failure, tlsOptions } from "./node-connect.ts";

const TIMEOUT_MS = 30_000;
const REDIRECTS_MAX = 20;
const REDIRECTS = new Set([301, 302, 303, 307, 308]);

/** One request as it goes over the wire; a redirect makes another of it. */
interface Hop {
  readonly url: URL;
  readonly method: string;
  readonly headers: Headers;
  readonly body: Uint8Array;
}

/** Node's own fetch cannot be given certificates; this one can, and reads the answer whole. */
export async function nodeFetch(request: Request, options: FetchOptions = {}): Promise<Response> {
  const timeoutMs = options.timeoutMs ?? TIMEOUT_MS;
  const signal = AbortSignal.any([request.signal, AbortSignal.timeout(Math.min(timeoutMs, DELAY_MAX_MS))]);
  const { headers } = request;
  const body = new Uint8Array(await request.arrayBuffer());
  let hop: Hop = { url: new URL(request.url), method: request.method, headers: new Headers(headers), body };
  try {
    for (let redirects = 0; ; redirects++) {
      const response = await send(hop, options, signal);
      const location = response.headers.get("location");
      if (!REDIRECTS.has(response.status) || location === null || request.redirect === "manual") return response;
      if (request.redirect === "error" || redirects >= REDIRECTS_MAX) {
        throw new NetworkError("ConnectFailed", `${request.url} redirects to ${location}`);
      }
      hop = redirected(hop, new URL(location, hop.url), response.status);
    }
  } catch (error) {
    if (request.signal.aborted) throw new NetworkError("Aborted", `the request to ${request.url} was aborted`);
    if (signal.aborted) throw new NetworkError("ConnectTimeout", `no answer of ${request.url} within ${timeoutMs} ms`);
    throw error instanceof NetworkError ? error : failure(hop.url.href, error as NodeJS.ErrnoException);
  }
}

/** Another host does not get the credentials meant for the first. */
function redirected(hop: Hop, url: URL, status: number): Hop {
  const headers = new Headers(hop.headers);
  if (url.origin !== hop.url.origin) headers.delete("authorization");
  const asGet = status === 303 || (status < 303 && hop.method === "POST");
  if (!asGet) return { ...hop, url, headers };
  headers.delete("content-type");
  return { url, method: "GET", headers, body: new Uint8Array(0) };
}

function send(hop: Hop, options: FetchOptions, signal: AbortSignal): Promise<Response> {
  const secure = hop.url.protocol === "https:";
  const headers: Record<string, string> = Object.fromEntries(hop.headers);
  if (hop.body.length > 0) headers["content-length"] = String(hop.body.length);
  return new Promise<Response>((resolve, reject) => {
    // a connection of its own: nothing is left open behind the answer
    const common = { method: hop.method, headers, signal, agent: false };
    const outgoing = secure
      ? https.request(hop.url, { ...common, ...tlsOptions(options.tls) })
      : http.request(hop.url, common);
    outgoing.on("error", reject);
    const bytesMax = options.answerBytesMax ?? ANSWER_BYTES_MAX;
    outgoing.on("response", (incoming) => read(incoming, bytesMax, hop.url.href).then(resolve, reject));
    outgoing.end(hop.body);
  });
}

async function read(incoming: IncomingMessage, bytesMax: number, url: string): Promise<Response> {
  const body = await readAll(incoming, bytesMax, url);
  const headers = new Headers();
  for (const [name, value] of Object.entries(incoming.headers)) {
    for (const one of [value ?? []].flat()) headers.append(name, one);
  }
  const status = incoming.statusCode ?? 500;
  const empty = status === 204 || status === 304;
  return new Response(empty ? null : body, { status, headers });
}
