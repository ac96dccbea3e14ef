import {
  type CommandGetTopicsOfNamespace,
  type CommandGetTopicsOfNamespaceResponse,
  type CommandLookupTopicResponse,
  CommandLookupTopicResponseLookupType,
  CommandType,
} from "@pulsewire/protocol";
import type { ClientTlsOptions } from "@pulsewire/runtime";
import type { Connection } from "../connection/connection.ts";
import type { ConnectionPool } from "../connection/connection-pool.ts";
import type { Target } from "../connection/open-connection.ts";
import { PulsarError, toPulsarError } from "../errors.ts";
import { type SchemaInfo, schemaInfoOf } from "../schema/schema-info.ts";
import { tooMany } from "./http-requests.ts";
import type { Lookup } from "./lookup.ts";
import { addressOf, hostAndPort, isTls, isWebSocket, parseServiceUrl, type ServiceUrl } from "./service-url.ts";

export interface LookupOptions {
  readonly serviceUrl: ServiceUrl;
  readonly maxLookupRedirects: number;
  readonly listenerName: string | undefined;
  readonly tls: ClientTlsOptions | undefined;
}

/** Asks brokers by frames, for every service URL but those of HTTP. */
export class LookupService implements Lookup {
  readonly #pool: ConnectionPool;
  readonly #options: LookupOptions;

  constructor(pool: ConnectionPool, options: LookupOptions) {
    this.#pool = pool;
    this.#options = options;
  }

  async findBroker(topic: string): Promise<Target> {
    const service = this.#options.serviceUrl;
    let { connection, target } = await this.#pool.service(service);
    let authoritative = false;
    for (let hops = 0; hops <= this.#options.maxLookupRedirects; hops++) {
      const answer = await this.#ask(connection, topic, authoritative);
      const url = this.#brokerUrl(service, answer);
      if (url === undefined) throw new PulsarError("ProtocolViolation", `the lookup of ${topic} names no broker`);
      const next = this.#targetOf(service, target, url, answer.proxyThroughServiceUrl ?? false);
      if (answer.response === CommandLookupTopicResponseLookupType.Connect) return next;
      authoritative = answer.authoritative ?? false;
      target = { address: next.proxyTo === undefined ? next.address : target.address };
      connection = await this.#pool.get(next, 0);
    }
    throw tooMany(`the lookup of ${topic}`, this.#options.maxLookupRedirects);
  }

  async assignedBroker(url: string): Promise<Target> {
    const { serviceUrl } = this.#options;
    if (!isWebSocket(serviceUrl)) return this.#targetOf(serviceUrl, undefined, url, false);
    const { target } = await this.#pool.service(serviceUrl);
    return this.#targetOf(serviceUrl, target, url, true);
  }

  async partitionCount(topic: string, autoCreate: boolean): Promise<number> {
    const { connection } = await this.#pool.service(this.#options.serviceUrl);
    const answer = await connection.request(`the partitions of ${topic}`, (requestId) => ({
      type: CommandType.PARTITIONED_METADATA,
      body: { topic, requestId, metadataAutoCreationEnabled: autoCreate },
    }));
    return answer.type === CommandType.PARTITIONED_METADATA_RESPONSE ? (answer.body.partitions ?? 0) : 0;
  }

  async getSchema(topic: string, version: Uint8Array | undefined): Promise<SchemaInfo | undefined> {
    const { connection } = await this.#pool.service(this.#options.serviceUrl);
    try {
      const answer = await connection.request(`the schema of ${topic}`, (requestId) => ({
        type: CommandType.GET_SCHEMA,
        body: { topic, requestId, schemaVersion: version },
      }));
      if (answer.type !== CommandType.GET_SCHEMA_RESPONSE || answer.body.schema === undefined) return undefined;
      return schemaInfoOf(answer.body.schema);
    } catch (error) {
      if (toPulsarError(error).code === "TopicNotFound") return undefined;
      throw error;
    }
  }

  async serviceConnection(): Promise<Connection> {
    return (await this.#pool.service(this.#options.serviceUrl)).connection;
  }

  async topicsOfNamespace(
    query: Omit<CommandGetTopicsOfNamespace, "requestId">,
  ): Promise<CommandGetTopicsOfNamespaceResponse> {
    const connection = await this.serviceConnection();
    const answer = await connection.request(`the topics of ${query.namespace}`, (requestId) => ({
      type: CommandType.GET_TOPICS_OF_NAMESPACE,
      body: { ...query, requestId },
    }));
    if (answer.type === CommandType.GET_TOPICS_OF_NAMESPACE_RESPONSE) return answer.body;
    throw new PulsarError("ProtocolViolation", `the topics of ${query.namespace} were answered by ${answer.type}`);
  }

  async #ask(connection: Connection, topic: string, authoritative: boolean): Promise<CommandLookupTopicResponse> {
    const advertisedListenerName = this.#options.listenerName;
    const answer = await connection.request(`the lookup of ${topic}`, (requestId) => ({
      type: CommandType.LOOKUP,
      body: { topic, requestId, authoritative, advertisedListenerName },
    }));
    if (answer.type === CommandType.LOOKUP_RESPONSE) return answer.body;
    throw new PulsarError(
      "ProtocolViolation",
      `the lookup of ${topic} was answered by a command of type ${answer.type}`,
    );
  }

  #brokerUrl(service: ServiceUrl, answer: CommandLookupTopicResponse): string | undefined {
    const { brokerServiceUrl, brokerServiceUrlTls } = answer;
    // Empty strings stand for absent ones in what some brokers send.
    const plain = brokerServiceUrl || undefined;
    const secure = brokerServiceUrlTls || undefined;
    return isTls(service) && !isWebSocket(service) ? secure : (plain ?? secure);
  }

  /** A page reaches no broker but by its WebSocket, which stands for every broker behind it. */
  #targetOf(service: ServiceUrl, via: Target | undefined, url: string, proxied: boolean): Target {
    const broker = parseServiceUrl(url);
    const [host] = broker.hosts;
    if (via !== undefined && (proxied || isWebSocket(service))) {
      // a broker that stands for itself needs no second connection to itself
      const { address } = via;
      const same =
        (address.transport === "tcp" || address.transport === "tls") && hostAndPort(address) === hostAndPort(host);
      if (same) return { address };
      return { address: via.address, proxyTo: hostAndPort(host) };
    }
    return { address: addressOf(broker, host, this.#options.tls) };
  }
}
