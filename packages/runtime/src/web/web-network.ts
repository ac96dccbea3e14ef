import { type Address, type Channel, type ConnectOptions, type Network, NetworkError } from "../network.ts";
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
      timeoutMs,
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

const noListening = (): Promise<never> =>
  Promise.reject(new NetworkError("Unsupported", "a page cannot listen for connections"));

/** The network of a page: WebSocket only. */
export const webNetwork: Network = { connect, listen: noListening, listenHttp: noListening };
