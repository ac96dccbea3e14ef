import type { CommandGetTopicsOfNamespace, CommandGetTopicsOfNamespaceResponse } from "@pulsewire/protocol";
import type { Clock, Network } from "@pulsewire/runtime";
import type { Connection } from "../connection/connection.ts";
import type { ConnectionPool } from "../connection/connection-pool.ts";
import type { Target } from "../connection/open-connection.ts";
import type { LookupType, Telemetry } from "../observability/telemetry.ts";
import type { SchemaInfo } from "../schema/schema-info.ts";
import type { CurrentService } from "./current-service.ts";
import { HttpLookup } from "./http-lookup.ts";
import { HttpRequests } from "./http-requests.ts";
import type { Lookup } from "./lookup.ts";
import { LookupService } from "./lookup-service.ts";
import { isHttp, parseServiceUrl, type ServiceUrl } from "./service-url.ts";

export interface ServiceLookupOptions {
  readonly maxLookupRedirects: number;
  readonly listenerName: string | undefined;
  readonly operationTimeoutMs: number;
  readonly authenticateRedirects: boolean;
  readonly telemetry: Telemetry | undefined;
  readonly clock: Clock;
}

/** Asks the cluster of the moment, by frames or over HTTP as its URL says. */
export class ServiceLookup implements Lookup {
  readonly #pool: ConnectionPool;
  readonly #network: Network;
  readonly #service: CurrentService;
  readonly #options: ServiceLookupOptions;
  #made: { readonly url: ServiceUrl; readonly lookup: Lookup } | undefined;

  constructor(pool: ConnectionPool, network: Network, service: CurrentService, options: ServiceLookupOptions) {
    this.#pool = pool;
    this.#network = network;
    this.#service = service;
    this.#options = options;
  }

  findBroker(topic: string, startUrl?: string): Promise<Target> {
    const lookup = startUrl === undefined ? this.#now : this.#lookupAt(parseServiceUrl(startUrl));
    return this.#told("topic", lookup.findBroker(topic));
  }

  assignedBroker(url: string): Promise<Target> {
    return this.#now.assignedBroker(url);
  }

  partitionCount(topic: string, autoCreate: boolean): Promise<number> {
    return this.#told("metadata", this.#now.partitionCount(topic, autoCreate));
  }

  getSchema(topic: string, version: Uint8Array | undefined): Promise<SchemaInfo | undefined> {
    return this.#told("schema", this.#now.getSchema(topic, version));
  }

  serviceConnection(): Promise<Connection> {
    return this.#now.serviceConnection();
  }

  topicsOfNamespace(
    query: Omit<CommandGetTopicsOfNamespace, "requestId">,
  ): Promise<CommandGetTopicsOfNamespaceResponse> {
    return this.#told("list-topics", this.#now.topicsOfNamespace(query));
  }

  /** Tells how long it took, where somebody is told. */
  #told<R>(type: LookupType, answer: Promise<R>): Promise<R> {
    const { telemetry, clock } = this.#options;
    if (telemetry === undefined) return answer;
    const startMs = clock.monotonicMs();
    const transport = isHttp(this.#service.serviceUrl) ? "http" : "binary";
    const tell = (succeeded: boolean): void => {
      telemetry.lookup(type, transport, (clock.monotonicMs() - startMs) / 1000, succeeded);
    };
    answer.then(
      () => tell(true),
      () => tell(false),
    );
    return answer;
  }

  get #now(): Lookup {
    const { serviceUrl } = this.#service;
    if (this.#made?.url !== serviceUrl) this.#made = { url: serviceUrl, lookup: this.#lookupAt(serviceUrl) };
    return this.#made.lookup;
  }

  #lookupAt(serviceUrl: ServiceUrl): Lookup {
    const { tls, authentication } = this.#service;
    const options = { ...this.#options, serviceUrl, tls };
    if (!isHttp(serviceUrl)) return new LookupService(this.#pool, options);
    const requests = new HttpRequests({ ...options, network: this.#network, authentication });
    return new HttpLookup(requests, options);
  }
}
