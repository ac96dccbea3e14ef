import { DELAY_MAX_MS } from "../kit/long-timer.ts";
import { readAll } from "../kit/read-all.ts";
import {
  type Address,
  ANSWER_BYTES_MAX,
  type Channel,
  type ConnectOptions,
  type FetchOptions,
  type Network,
  NetworkError,
} from "../network.ts";
import { WebChannel } from "./web-channel.ts";

function connect(address: Address, options: ConnectOptions = {}): Promise<Channel> {
  if (address.transport !== "websocket") {
    return Promise.reject(
      new NetworkError("Unsupported", `${address.transport} is not available in a page; use a ws:// or wss:// URL`),
    );
  }
  const { url } = address;
  const timeoutMs = options.timeoutMs ?? 10_000;
  const { signal } = options;
  return new Promise((resolve, reject) => {
    const socket = new WebSocket(url);
    socket.binaryType = "arraybuffer";
    const end = (error: NetworkError): void => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", onAbort);
      socket.onopen = null;
      socket.onclose = null;
      socket.close();
      reject(error);
    };
    const onAbort = (): void => end(new NetworkError("Aborted", `connecting to ${url} was aborted`));
    const timer = setTimeout(
      () => end(new NetworkError("ConnectTimeout", `no connection to ${url} within ${timeoutMs} ms`)),
      Math.min(timeoutMs, DELAY_MAX_MS),
    );
    signal?.addEventListener("abort", onAbort);
    // browsers give no reason beside the failure itself
    socket.onclose = () => end(new NetworkError("ConnectFailed", `cannot connect to ${url}`));
    socket.onopen = () => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", onAbort);
      resolve(new WebChannel(socket, url));
    };
  });
}

async function webFetch(request: Request, options: FetchOptions = {}): Promise<Response> {
  const timeoutMs = options.timeoutMs ?? 30_000;
  const signal = AbortSignal.any([request.signal, AbortSignal.timeout(Math.min(timeoutMs, DELAY_MAX_MS))]);
  try {
    const response = await fetch(request, { signal });
    // a page is told of no redirect but that there is one: no status, no body, nothing to read
    if (response.type === "opaqueredirect") return response;
    // read here, so that the time-out covers the body too
    const body = await readAll(chunksOf(response), options.answerBytesMax ?? ANSWER_BYTES_MAX, request.url);
    const empty = response.status === 204 || response.status === 304;
    return new Response(empty ? null : body, { status: response.status, headers: response.headers });
  } catch (error) {
    if (request.signal.aborted) throw new NetworkError("Aborted", `the request to ${request.url} was aborted`);
    if (signal.aborted) throw new NetworkError("ConnectTimeout", `no answer of ${request.url} within ${timeoutMs} ms`);
    if (error instanceof NetworkError) throw error;
    throw new NetworkError("ConnectFailed", `cannot reach ${request.url}: ${String(error)}`, { cause: error });
  }
}

async function* chunksOf({ body }: Response): AsyncGenerator<Uint8Array> {
  const reader = body?.getReader();
  try {
    for (let read = await reader?.read(); read !== undefined && !read.done; read = await reader?.read())
      yield read.value;
  } finally {
    // ends the transfer where more came than is wanted
    await reader?.cancel();
  }
}

const noListening = (): Promise<never> =>
  Promise.reject(new NetworkError("Unsupported", "a page cannot listen for connections"));

/** The network of a page: WebSocket only. */
export const webNetwork: Network = { connect, fetch: webFetch, listen: noListening, listenHttp: noListening };
