import type { AdminHttp, RequestOptions } from "./admin-http.ts";
import { segment, topicPath } from "./paths.ts";

export interface LeaderBroker {
  readonly brokerId: string;
  readonly serviceUrl: string;
}

/** `/admin/v2/brokers`. */
export class Brokers {
  readonly #http: AdminHttp;

  /** @internal */
  constructor(http: AdminHttp) {
    this.#http = http;
  }

  /** `host:port` of each active broker, of this cluster or of another. */
  list(cluster?: string, options?: RequestOptions): Promise<string[]> {
    const of = cluster === undefined ? "" : `/${segment("cluster", cluster)}`;
    return this.#http.json("GET", `/admin/v2/brokers${of}`, options);
  }

  leader(options?: RequestOptions): Promise<LeaderBroker> {
    return this.#http.json("GET", "/admin/v2/brokers/leaderBroker", options);
  }

  /** Rejects with an AdminError where the broker that is asked is not well. */
  healthCheck(options?: RequestOptions): Promise<void> {
    return this.#http.done("GET", "/admin/v2/brokers/health", options);
  }

  /** The broker's version of Pulsar. */
  async version(options?: RequestOptions): Promise<string> {
    return (await this.#http.text("GET", "/admin/v2/brokers/version", options)).trim();
  }

  /** The settings a broker runs with, by Pulsar's names. */
  runtimeConfiguration(options?: RequestOptions): Promise<Record<string, string>> {
    return this.#http.json("GET", "/admin/v2/brokers/configuration/runtime", options);
  }

  /** The settings that were changed while it ran. */
  dynamicConfiguration(options?: RequestOptions): Promise<Record<string, string>> {
    return this.#http.json("GET", "/admin/v2/brokers/configuration/values", options);
  }

  updateDynamicConfiguration(name: string, value: string, options?: RequestOptions): Promise<void> {
    const path = `/admin/v2/brokers/configuration/${segment("name", name)}/${segment("value", value)}`;
    return this.#http.done("POST", path, options);
  }
}

/** `/admin/v2/bookies`. */
export class Bookies {
  readonly #http: AdminHttp;

  /** @internal */
  constructor(http: AdminHttp) {
    this.#http = http;
  }

  /** Ids of all bookies. */
  async list(options?: RequestOptions): Promise<string[]> {
    const answer = await this.#http.json<{ bookies: { bookieId: string }[] }>("GET", "/admin/v2/bookies/all", options);
    return answer.bookies.map(({ bookieId }) => bookieId);
  }

  /** Racks by group and bookie. */
  racks(options?: RequestOptions): Promise<Record<string, Record<string, unknown>>> {
    return this.#http.json("GET", "/admin/v2/bookies/racks-info", options);
  }
}

/** Who serves a topic. Empty texts where a broker has no such listener. */
export interface TopicOwner {
  readonly brokerUrl: string;
  readonly brokerUrlTls: string;
  readonly httpUrl: string;
}

/** `/lookup/v2`. */
export class Lookups {
  readonly #http: AdminHttp;

  /** @internal */
  constructor(http: AdminHttp) {
    this.#http = http;
  }

  /** The broker that serves a topic; assigns one where none does. */
  async topic(topic: string, options?: RequestOptions): Promise<TopicOwner> {
    const path = `/lookup/v2/topic/${topicPath(topic)}`;
    const answer = await this.#http.json<Record<string, string | null | undefined>>("GET", path, options);
    const { brokerUrl, brokerUrlTls, brokerUrlSsl, httpUrl } = answer;
    return { brokerUrl: brokerUrl ?? "", brokerUrlTls: brokerUrlTls ?? brokerUrlSsl ?? "", httpUrl: httpUrl ?? "" };
  }

  /** The bundle a topic is in, such as `0x40000000_0x80000000`. */
  bundle(topic: string, options?: RequestOptions): Promise<string> {
    return this.#http.text("GET", `/lookup/v2/topic/${topicPath(topic)}/bundle`, options);
  }
}
