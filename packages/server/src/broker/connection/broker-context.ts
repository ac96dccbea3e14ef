import type { CommandGetTopicsOfNamespaceMode } from "@pulsewire/protocol";
import type { Clock } from "@pulsewire/runtime";
import type { BrokerSettings } from "../broker-settings.ts";
import type { BrokerUrls } from "../ownership/broker-registry.ts";
import type { TopicLookup } from "../ownership/topic-lookup.ts";
import type { EffectivePolicies } from "../resources/effective-policies.ts";
import type { Resources } from "../resources/resources.ts";
import type { Topic } from "../topic/topic.ts";
import type { Topics } from "../topic/topics.ts";
import type { BrokerConnection } from "./broker-connection.ts";
import type { CommandInterceptor } from "./command-interceptor.ts";
import type { RequestLimit } from "./request-limit.ts";

/** Credentials that were accepted. */
export interface Authentication {
  /** Who the client is. */
  role: string;
  /** When they run out, in ms since 1970; the client is then asked for new ones. Default: never. */
  expiresAtMs?: number;
}

/** A role, a role with an end, or what to ask the client next. */
export type AuthenticationOutcome = string | Authentication | { challenge: Uint8Array };

/** Says who a client is. */
export interface Authenticator {
  /**
   * Called with the credentials of CONNECT, and with those of each answer to a challenge. What it rejects with ends the
   * connection, with AuthenticationError unless it is a BrokerError of another code.
   */
  authenticate(method: string, data: Uint8Array, connection: BrokerConnection): Promise<AuthenticationOutcome>;
}

/** What a connection needs of the broker behind it. */
export interface BrokerContext {
  readonly urls: BrokerUrls;
  readonly settings: BrokerSettings;
  readonly clock: Clock;
  readonly resources: Resources;
  readonly lookup: TopicLookup;
  readonly topics: Topics;
  readonly lookups: RequestLimit;
  readonly connections: Set<BrokerConnection>;
  /** Undefined: everybody may connect. */
  readonly authenticator: Authenticator | undefined;
  /** Keeps commands, for faults on purpose. Undefined: none. */
  readonly interceptor: CommandInterceptor | undefined;
  /** Whether clients should reach the owner through the address they already use (as a standalone broker says). */
  readonly throughServiceUrl: boolean;
  policiesOf(topic: Topic["name"]): Promise<EffectivePolicies>;
  /** Full names, sorted. */
  topicsOf(namespace: string, mode: CommandGetTopicsOfNamespaceMode): Promise<string[]>;
  /** Another broker of this process, by id or by `host:port` or URL of its binary listener. */
  peer(address: string): BrokerContext | undefined;
}
