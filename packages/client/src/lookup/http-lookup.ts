import {
  type CommandGetTopicsOfNamespace,
  CommandGetTopicsOfNamespaceMode,
  type CommandGetTopicsOfNamespaceResponse,
  TopicName,
} from "@pulsewire/protocol";
import type { ClientTlsOptions } from "@pulsewire/runtime";
import type { Connection } from "../connection/connection.ts";
import type { Target } from "../connection/open-connection.ts";
import { PulsarError, toPulsarError } from "../errors.ts";
import { keyValueSchemaBytes } from "../schema/key-value-definition.ts";
import { isSchemaTypeName, type SchemaInfo } from "../schema/schema-info.ts";
import type { HttpRequests } from "./http-requests.ts";
import type { Lookup } from "./lookup.ts";
import { addressOf, isTls, parseServiceUrl, type ServiceUrl } from "./service-url.ts";

export interface HttpLookupOptions {
  readonly serviceUrl: ServiceUrl;
  readonly listenerName: string | undefined;
  readonly tls: ClientTlsOptions | undefined;
}

/** Asks the brokers' web service, for a service URL of `http://` or `https://`. */
export class HttpLookup implements Lookup {
  readonly #requests: HttpRequests;
  readonly #options: HttpLookupOptions;

  constructor(requests: HttpRequests, options: HttpLookupOptions) {
    this.#requests = requests;
    this.#options = options;
  }

  async findBroker(topic: string): Promise<Target> {
    const { listenerName, serviceUrl } = this.#options;
    const query = listenerName === undefined ? "" : `?listenerName=${encodeURIComponent(listenerName)}`;
    const what = `the lookup of ${topic}`;
    const answer = await this.#requests.get(`/lookup/v2/topic/${restPath(topic)}${query}`, what);
    const url = isTls(serviceUrl) ? (answer.brokerUrlTls ?? answer.brokerUrlSsl) : answer.brokerUrl;
    if (typeof url === "string" && url !== "") return this.assignedBroker(url);
    const kind = isTls(serviceUrl) ? "an address for TLS" : "an address";
    throw new PulsarError("ProtocolViolation", `${what} names no broker with ${kind}`);
  }

  async assignedBroker(url: string): Promise<Target> {
    const broker = parseServiceUrl(url);
    return { address: addressOf(broker, broker.hosts[0], this.#options.tls) };
  }

  async partitionCount(topic: string, autoCreate: boolean): Promise<number> {
    const path = `/admin/v2/${restPath(topic)}/partitions?checkAllowAutoCreation=${autoCreate}`;
    const { partitions } = await this.#requests.get(path, `the partitions of ${topic}`);
    return typeof partitions === "number" ? partitions : 0;
  }

  async getSchema(topic: string, version: Uint8Array | undefined): Promise<SchemaInfo | undefined> {
    const name = TopicName.parse(TopicName.parse(topic).partitionedTopicName);
    const at = [name.tenant, name.namespacePortion, name.localName].map(encodeURIComponent).join("/");
    const which = version === undefined ? "" : `/${versionNumber(version)}`;
    try {
      return schemaOf(await this.#requests.get(`/admin/v2/schemas/${at}/schema${which}`, `the schema of ${topic}`));
    } catch (error) {
      if (toPulsarError(error).code === "TopicNotFound") return undefined;
      throw error;
    }
  }

  serviceConnection(): Promise<Connection> {
    const detail = `${this.#options.serviceUrl.text} takes no frames: what needs a connection is asked for from time to time`;
    return Promise.reject(new PulsarError("Unsupported", detail));
  }

  async topicsOfNamespace(
    query: Omit<CommandGetTopicsOfNamespace, "requestId">,
  ): Promise<CommandGetTopicsOfNamespaceResponse> {
    const { namespace, mode } = query;
    const names = Object.entries(CommandGetTopicsOfNamespaceMode);
    const modeName = names.find(([, value]) => value === mode)?.[0] ?? "PERSISTENT";
    const path = `/admin/v2/namespaces/${namespace}/topics?mode=${modeName}`;
    const topics: unknown = await this.#requests.get(path, `the topics of ${namespace}`);
    if (!Array.isArray(topics)) throw new PulsarError("ProtocolViolation", `the topics of ${namespace} are no list`);
    return { requestId: 0, topics: topics.map(String), filtered: false, changed: true };
  }
}

function restPath(topic: string): string {
  const { domain, tenant, namespacePortion, localName } = TopicName.parse(topic);
  return [domain, tenant, namespacePortion, localName].map(encodeURIComponent).join("/");
}

/** Versions are numbers of eight bytes there, and texts of them here. */
function versionNumber(version: Uint8Array): string {
  if (version.length !== 8) return "-1";
  return new DataView(version.buffer, version.byteOffset, 8).getBigInt64(0).toString();
}

function schemaOf(answer: Record<string, unknown>): SchemaInfo {
  const { type, data, properties } = answer as { type?: string; data?: string; properties?: Record<string, string> };
  if (type === undefined || !isSchemaTypeName(type)) {
    throw new PulsarError("Unsupported", `a schema of type ${String(type)} is not known here`);
  }
  const text = data ?? "";
  const schema = type === "KEY_VALUE" ? keyValueSchemaBytes(text) : new TextEncoder().encode(text);
  return { name: "", type, schema, properties: properties ?? {} };
}
