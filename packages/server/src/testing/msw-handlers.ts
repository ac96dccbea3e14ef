import type { Channel } from "@pulsewire/runtime";
import { type HttpHandler, HttpResponse, http, type WebSocketHandler, ws } from "msw";
import { checkNames } from "../cluster/check-names.ts";
import type { TestCluster } from "./test-cluster.ts";

export interface PulsarHandlersOptions {
  /**
   * The URL the application connects to, such as `wss://pulsar.example.com/ws/binary`. Default: the cluster's own, as its
   * `webSocketUrl` says.
   */
  webSocketUrl?: string;
  /** Where the application asks the REST API, such as `https://pulsar.example.com`. Default: the cluster's `adminUrl`. */
  adminUrl?: string;
}

function checkUrl(name: string, url: unknown, scheme: RegExp, schemes: string): void {
  if (typeof url === "string" && scheme.test(url)) return;
  throw new TypeError(`${name} takes a URL with ${schemes}, not ${JSON.stringify(url)}`);
}

/** What is used of a WebSocket that msw has taken over. */
interface InterceptedClient {
  send(data: ArrayBuffer): void;
  close(code?: number, reason?: string): void;
  addEventListener(type: "message", listener: (event: MessageEvent<unknown>) => void): void;
  addEventListener(type: "close", listener: () => void): void;
}

const INTERNAL_ERROR = 1011;

/**
 * Handlers of msw that let a cluster serve the URLs an application has: WebSockets and the REST API. Start the cluster
 * with `network: "memory"`, and no port is opened at all.
 *
 * @example
 * const t = await startTestCluster({ network: "memory" });
 * const server = setupServer(...pulsarHandlers(t, { webSocketUrl: "wss://pulsar.example.com/ws/binary" }));
 */
export function pulsarHandlers(
  cluster: TestCluster,
  options: PulsarHandlersOptions = {},
): (HttpHandler | WebSocketHandler)[] {
  if (typeof cluster?.webSocketUrl !== "string" || cluster.runtime === undefined) {
    throw new TypeError("pulsarHandlers takes a cluster of startTestCluster");
  }
  checkNames("pulsarHandlers", options, ["webSocketUrl", "adminUrl"]);
  const { webSocketUrl = cluster.webSocketUrl, adminUrl = cluster.adminUrl } = options;
  checkUrl("webSocketUrl", webSocketUrl, /^wss?:\/\//, "ws:// or wss://");
  checkUrl("adminUrl", adminUrl, /^https?:\/\//, "http:// or https://");
  const answer = async ({ request }: { request: Request }): Promise<Response> => {
    const { pathname, search } = new URL(request.url);
    const body = request.body === null ? null : await request.arrayBuffer();
    const init: RequestInit = { method: request.method, headers: request.headers, body };
    return cluster.runtime.network.fetch(new Request(new URL(pathname + search, cluster.adminUrl), init));
  };
  const links = spellings(webSocketUrl).map((url) =>
    ws.link(url).addEventListener("connection", ({ client }) => {
      void serve(cluster, client as unknown as InterceptedClient);
    }),
  );
  const rest = spellings(adminUrl.replace(/\/$/, "")).flatMap((origin) => [
    http.all(`${origin}/admin/*`, answer),
    http.all(`${origin}/lookup/*`, answer),
  ]);
  return [...spellings(webSocketUrl).map(refuseUpgrade), ...links, ...rest];
}

/**
 * A client in Node with sockets of its own asks for an upgrade, which msw answers and then leaves without anybody at the
 * other end: it is refused instead, and the application told.
 */
function refuseUpgrade(webSocketUrl: string): HttpHandler {
  return http.get(webSocketUrl.replace(/^ws/, "http"), ({ request }) => {
    if (request.headers.get("upgrade")?.toLowerCase() !== "websocket") return undefined;
    const statusText = "in Node, msw serves clients with runtime: pageRuntime() of @pulsewire/server/msw";
    return new HttpResponse(statusText, { status: 426, statusText });
  });
}

/** A URL without a port means Pulsar's to this client, and the scheme's to everybody else. */
function spellings(url: string): string[] {
  const match = /^(wss?|https?):\/\/([^/:]+|\[[^\]]+\])(\/.*)?$/.exec(url);
  if (match === null) return [url];
  const [, scheme = "", host = "", path = ""] = match;
  return [url, `${scheme}://${host}:${scheme === "wss" || scheme === "https" ? 8443 : 8080}${path}`];
}

/** Both ends know nothing of each other: frames go over as they are. */
async function serve(cluster: TestCluster, client: InterceptedClient): Promise<void> {
  const early: Uint8Array[] = [];
  let channel: Channel | undefined;
  let left = false;
  client.addEventListener("message", ({ data }) => {
    void bytesOf(data).then((bytes) => {
      if (channel === undefined) early.push(bytes);
      else channel.write(bytes);
    });
  });
  client.addEventListener("close", () => {
    left = true;
    channel?.close();
  });
  try {
    const address = { transport: "websocket", url: cluster.webSocketUrl } as const;
    const opened = await cluster.runtime.network.connect(address);
    opened.setSink({
      // msw keeps what it is given until the application has it: the cluster may use its buffer again
      onData: (chunk) => client.send(new Uint8Array(chunk).buffer),
      onDrain: () => undefined,
      onClose: (error) => client.close(error === undefined ? 1000 : INTERNAL_ERROR),
    });
    if (left) opened.close();
    for (const bytes of early) opened.write(bytes);
    channel = opened;
  } catch (error) {
    client.close(INTERNAL_ERROR, String(error).slice(0, 100));
  }
}

async function bytesOf(data: unknown): Promise<Uint8Array> {
  if (data instanceof Blob) return new Uint8Array(await data.arrayBuffer());
  if (data instanceof ArrayBuffer) return new Uint8Array(data);
  if (ArrayBuffer.isView(data)) return new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
  return new TextEncoder().encode(String(data));
}
