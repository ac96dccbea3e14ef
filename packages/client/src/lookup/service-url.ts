import type { Address, ClientTlsOptions } from "@pulsewire/runtime";
import { describe } from "../check-options.ts";
import { PulsarError } from "../errors.ts";

export type ServiceScheme = "pulsar" | "pulsar+ssl" | "ws" | "wss" | "http" | "https";

const DEFAULT_PORTS: Readonly<Record<ServiceScheme, number>> = {
  pulsar: 6650,
  "pulsar+ssl": 6651,
  ws: 8080,
  wss: 8443,
  http: 8080,
  https: 8443,
};

/** Where a Pulsewire server, and the gateway in front of a real cluster, takes Pulsar's frames over WebSocket. */
const WEBSOCKET_PATH = "/ws/binary";

export interface ServiceHost {
  readonly host: string;
  readonly port: number;
}

/** A service URL taken apart: one scheme, one or more hosts, and for WebSocket a path. */
export interface ServiceUrl {
  readonly scheme: ServiceScheme;
  readonly hosts: readonly [ServiceHost, ...ServiceHost[]];
  /** With its leading slash and its query, only where the scheme has one. */
  readonly path: string;
  readonly text: string;
}

function invalid(text: unknown, why: string): PulsarError {
  return new PulsarError("InvalidServiceUrl", `${describe(text)}: ${why}`);
}

/** Throws a PulsarError with code InvalidServiceUrl that says what is wrong. */
export function parseServiceUrl(text: string): ServiceUrl {
  if (typeof text !== "string") throw invalid(text, "a service URL is a text such as pulsar://localhost:6650");
  const at = text.indexOf("://");
  if (at <= 0) throw invalid(text, "it needs a scheme, such as pulsar://");
  const scheme = text.slice(0, at) as ServiceScheme;
  if (!Object.hasOwn(DEFAULT_PORTS, scheme)) {
    throw invalid(text, `unknown scheme ${scheme}, it takes one of ${Object.keys(DEFAULT_PORTS).join(", ")}`);
  }
  const rest = text.slice(at + 3);
  const slash = rest.search(/[/?#]/);
  const authority = slash < 0 ? rest : rest.slice(0, slash);
  const path = slash < 0 ? "" : rest.slice(slash);
  if (authority === "") throw invalid(text, "it needs a host");
  const hosts = authority.split(",").map((part) => parseHost(part, DEFAULT_PORTS[scheme], text));
  return { scheme, hosts: hosts as [ServiceHost, ...ServiceHost[]], path: checkPath(scheme, path, text), text };
}

function checkPath(scheme: ServiceScheme, path: string, text: string): string {
  if (scheme === "ws" || scheme === "wss") {
    if (path.includes("#")) throw invalid(text, "it takes no fragment");
    return path === "" || path === "/" ? WEBSOCKET_PATH : path;
  }
  if (path !== "" && path !== "/") throw invalid(text, `it takes no path, not ${path}`);
  return "";
}

const HOST_AND_PORT = /^(\[[0-9a-fA-F:.]+\]|[^:[\]@\s]+)(?::(\d{1,5}))?$/;

function parseHost(part: string, defaultPort: number, text: string): ServiceHost {
  const match = HOST_AND_PORT.exec(part);
  if (match === null) throw invalid(text, `"${part}" is not a host with or without a port`);
  const [, host = "", digits] = match;
  const port = digits === undefined ? defaultPort : Number(digits);
  if (port < 1 || port > 65_535) throw invalid(text, `${digits} is not a port`);
  return { host: host.startsWith("[") ? host.slice(1, -1) : host, port };
}

export function isWebSocket(url: ServiceUrl): boolean {
  return url.scheme === "ws" || url.scheme === "wss";
}

/** Whether connections to it are of TLS. */
export function isEncrypted(url: ServiceUrl): boolean {
  return url.scheme === "pulsar+ssl" || url.scheme === "wss" || url.scheme === "https";
}

export function isHttp(url: ServiceUrl): boolean {
  return url.scheme === "http" || url.scheme === "https";
}

export function isTls(url: ServiceUrl): boolean {
  return url.scheme === "pulsar+ssl" || url.scheme === "wss" || url.scheme === "https";
}

/** `host:port`, an IPv6 host in brackets. */
export function hostAndPort(host: ServiceHost): string {
  return host.host.includes(":") ? `[${host.host}]:${host.port}` : `${host.host}:${host.port}`;
}

/** The address of one of a URL's hosts. Throws for `http` and `https`, which carry no frames. */
export function addressOf(url: ServiceUrl, host: ServiceHost, tls: ClientTlsOptions | undefined): Address {
  const extra = tls === undefined ? {} : { tls };
  switch (url.scheme) {
    case "pulsar":
      return { transport: "tcp", host: host.host, port: host.port };
    case "pulsar+ssl":
      return { transport: "tls", host: host.host, port: host.port, ...extra };
    case "ws":
    case "wss":
      return { transport: "websocket", url: `${url.scheme}://${hostAndPort(host)}${url.path}`, ...extra };
    default:
      throw new PulsarError("Unsupported", `${url.text}: the address of a broker takes pulsar:// or ws://`);
  }
}
