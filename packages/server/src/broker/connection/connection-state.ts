import type { CommandConnect, FeatureFlags } from "@pulsewire/protocol";

/** What CONNECT told of a client. */
export interface ClientInfo {
  protocolVersion: number;
  clientVersion: string;
  features: FeatureFlags;
  /** Who the client is, where authentication is on. */
  role: string | undefined;
}

/** A connection's life: `awaiting-connect → connecting → connected`, and from each of them `closed`, the last state. */
export type ConnectionState =
  | { kind: "awaiting-connect" }
  /** CONNECT came and its credentials are being looked at, or more of them asked for. */
  | { kind: "connecting"; connect: CommandConnect }
  | ({ kind: "connected" } & ClientInfo)
  | { kind: "closed" };
