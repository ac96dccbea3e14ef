import { wholeNumber } from "../check-options.ts";
import type { MessageId } from "../message-id.ts";
import { type AdminHttp, flagged, type RequestOptions } from "./admin-http.ts";
import { type MessageIdJson, messageIdFrom, messageIdJson } from "./message-id-json.ts";
import type { AuthAction } from "./namespaces.ts";
import { namespacePath, segment, topicPath } from "./paths.ts";
import { PUT_OF_TOPIC, QUERY_OF_TOPIC, type TopicPolicy, type TopicPolicyValues } from "./policies.ts";
import type { InternalStats, PartitionedTopicStats, TopicStats } from "./stats.ts";
import type { DeleteOptions } from "./tenants.ts";

export type TopicDomainName = "persistent" | "non-persistent";

/** How a compaction or an offload stands. */
export interface LongRunningStatus {
  readonly status: "NOT_RUN" | "RUNNING" | "SUCCESS" | "ERROR";
  readonly lastError: string;
}

/** `/admin/v2/persistent` and `/admin/v2/non-persistent`. A topic is its full name, or a short one. */
export class Topics {
  readonly #http: AdminHttp;

  /** @internal */
  constructor(http: AdminHttp) {
    this.#http = http;
  }

  /** The topics of a namespace by their full names; of partitioned ones, the partitions. */
  list(namespace: string, domain: TopicDomainName = "persistent", options?: RequestOptions): Promise<string[]> {
    return this.#http.json("GET", `/admin/v2/${domain}/${namespacePath(namespace)}`, options);
  }

  listPartitioned(
    namespace: string,
    domain: TopicDomainName = "persistent",
    options?: RequestOptions,
  ): Promise<string[]> {
    return this.#http.json("GET", `/admin/v2/${domain}/${namespacePath(namespace)}/partitioned`, options);
  }

  create(topic: string, options?: RequestOptions): Promise<void> {
    return this.#http.done("PUT", pathOf(topic), options);
  }

  createPartitioned(topic: string, partitions: number, options?: RequestOptions): Promise<void> {
    const body = wholeNumber("partitions", partitions, 0, 1);
    return this.#http.done("PUT", `${pathOf(topic)}/partitions`, { ...options, body });
  }

  /** Partitions can only be added. */
  updatePartitions(topic: string, partitions: number, options?: RequestOptions): Promise<void> {
    const body = wholeNumber("partitions", partitions, 0, 1);
    return this.#http.done("POST", `${pathOf(topic)}/partitions`, { ...options, body });
  }

  /** 0 for a topic without partitions. */
  async partitions(topic: string, options?: RequestOptions): Promise<number> {
    const answer = await this.#http.json<{ partitions: number }>("GET", `${pathOf(topic)}/partitions`, options);
    return answer.partitions;
  }

  delete(topic: string, options?: DeleteOptions): Promise<void> {
    return this.#http.done("DELETE", pathOf(topic), flagged("delete", options, { force: undefined }));
  }

  deletePartitioned(topic: string, options?: DeleteOptions): Promise<void> {
    return this.#http.done(
      "DELETE",
      `${pathOf(topic)}/partitions`,
      flagged("deletePartitioned", options, { force: undefined }),
    );
  }

  stats(topic: string, options?: RequestOptions): Promise<TopicStats> {
    return this.#http.json("GET", `${pathOf(topic)}/stats`, options);
  }

  /** The sums over the partitions, and with `perPartition` (the default) the partitions' own. */
  partitionedStats(
    topic: string,
    options?: RequestOptions & { perPartition?: boolean },
  ): Promise<PartitionedTopicStats> {
    return this.#http.json(
      "GET",
      `${pathOf(topic)}/partitioned-stats`,
      flagged("partitionedStats", options, { perPartition: true }),
    );
  }

  internalStats(topic: string, options?: RequestOptions): Promise<InternalStats> {
    return this.#http.json("GET", `${pathOf(topic)}/internalStats`, options);
  }

  async lastMessageId(topic: string, options?: RequestOptions): Promise<MessageId> {
    return messageIdFrom(await this.#http.json<MessageIdJson>("GET", `${pathOf(topic)}/lastMessageId`, options));
  }

  /** The first message published at or after a time (a Date, or ms since 1970). */
  async messageIdByTime(topic: string, time: Date | number, options?: RequestOptions): Promise<MessageId> {
    const path = `${pathOf(topic)}/messageid/${wholeNumber("time", timeOf(time), 0)}`;
    return messageIdFrom(await this.#http.json<MessageIdJson>("GET", path, options));
  }

  /** Disconnects everybody and lets the topic go; it loads again where it is next asked for. */
  unload(topic: string, options?: RequestOptions): Promise<void> {
    return this.#http.done("PUT", `${pathOf(topic)}/unload`, options);
  }

  /** No more can be produced. Answers the id of the last message. */
  async terminate(topic: string, options?: RequestOptions): Promise<MessageId> {
    return messageIdFrom(await this.#http.json<MessageIdJson>("POST", `${pathOf(topic)}/terminate`, options));
  }

  /** Deletes what every subscription has acknowledged, whatever retention says. */
  truncate(topic: string, options?: RequestOptions): Promise<void> {
    return this.#http.done("DELETE", `${pathOf(topic)}/truncate`, options);
  }

  /** Deletes ledgers that every subscription has acknowledged and retention lets go, now. */
  trim(topic: string, options?: RequestOptions): Promise<void> {
    return this.#http.done("POST", `${pathOf(topic)}/trim`, options);
  }

  compact(topic: string, options?: RequestOptions): Promise<void> {
    return this.#http.done("PUT", `${pathOf(topic)}/compaction`, options);
  }

  compactionStatus(topic: string, options?: RequestOptions): Promise<LongRunningStatus> {
    return this.#http.json("GET", `${pathOf(topic)}/compaction`, options);
  }

  /** Offloads what is before a message. */
  offload(topic: string, before: MessageId, options?: RequestOptions): Promise<void> {
    return this.#http.done("PUT", `${pathOf(topic)}/offload`, { ...options, body: messageIdJson(before) });
  }

  offloadStatus(topic: string, options?: RequestOptions): Promise<LongRunningStatus> {
    return this.#http.json("GET", `${pathOf(topic)}/offload`, options);
  }

  permissions(topic: string, options?: RequestOptions): Promise<Record<string, AuthAction[]>> {
    return this.#http.json("GET", `${pathOf(topic)}/permissions`, options);
  }

  grant(topic: string, role: string, actions: readonly AuthAction[], options?: RequestOptions): Promise<void> {
    const path = `${pathOf(topic)}/permissions/${segment("role", role)}`;
    return this.#http.done("POST", path, { ...options, body: actions });
  }

  revoke(topic: string, role: string, options?: RequestOptions): Promise<void> {
    return this.#http.done("DELETE", `${pathOf(topic)}/permissions/${segment("role", role)}`, options);
  }

  /**
   * One policy of the topic's own. Where it is not set and the namespace's holds, Pulsar answers nothing, hence undefined; of
   * `subscriptionTypesEnabled` an empty list.
   */
  getPolicy<P extends TopicPolicy>(
    topic: string,
    policy: P,
    options?: RequestOptions,
  ): Promise<TopicPolicyValues[P] | undefined> {
    return this.#http.json("GET", `${pathOf(topic)}/${segment("policy", policy)}`, options);
  }

  setPolicy<P extends TopicPolicy>(
    topic: string,
    policy: P,
    value: TopicPolicyValues[P],
    options?: RequestOptions,
  ): Promise<void> {
    const method = PUT_OF_TOPIC.has(policy) ? "PUT" : "POST";
    // a broker takes a body it does not look at for no value at all, and sets 0
    const given = QUERY_OF_TOPIC.has(policy)
      ? { query: { [policy]: wholeNumber(policy, value ?? null, 0) } }
      : { body: value };
    return this.#http.done(method, `${pathOf(topic)}/${segment("policy", policy)}`, { ...options, ...given });
  }

  /** Has the namespace's hold again. A policy that Pulsar cannot unset is refused with status 405. */
  removePolicy(topic: string, policy: TopicPolicy, options?: RequestOptions): Promise<void> {
    return this.#http.done("DELETE", `${pathOf(topic)}/${segment("policy", policy)}`, options);
  }
}

export function timeOf(time: Date | number): number {
  return time instanceof Date ? time.getTime() : time;
}

function pathOf(topic: string): string {
  return `/admin/v2/${topicPath(topic)}`;
}
