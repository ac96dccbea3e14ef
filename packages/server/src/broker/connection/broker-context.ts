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
import type { RequestLimit } from "./request-limit.ts";

/** Says who a client is. Rejects with a BrokerError (AuthenticationError). */
export interface Authenticator {
  authenticate(method: string, data: Uint8Array, connection: BrokerConnection): Promise<string>;
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
  /** Whether clients should reach the owner through the address they already use (as a standalone broker says). */
  readonly throughServiceUrl: boolean;
  policiesOf(topic: Topic["name"]): Promise<EffectivePolicies>;
  /** Full names, sorted. */
  topicsOf(namespace: string, mode: CommandGetTopicsOfNamespaceMode): Promise<string[]>;
  /** Another broker of this process, by id or by `host:port` or URL of its binary listener. */
  peer(address: string): BrokerContext | undefined;
}
