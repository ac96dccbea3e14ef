import { ProtocolError } from "./protocol-error.ts";

export type TopicDomain = "persistent" | "non-persistent";

const PARTITION_SUFFIX = "-partition-";

/**
 * A topic's full name taken apart: `persistent://tenant/namespace/local`, or with a cluster before the namespace in
 * the older V1 form. Short names (`local`, `tenant/namespace/local`) are completed with `persistent`, `public/default`.
 */
export class TopicName {
  readonly domain: TopicDomain;
  readonly tenant: string;
  /** Present only in V1 names. */
  readonly cluster: string | undefined;
  readonly namespacePortion: string;
  readonly localName: string;
  /** The number behind `-partition-`, or -1. */
  readonly partitionIndex: number;

  private constructor(domain: TopicDomain, tenant: string, cluster: string | undefined, ns: string, local: string) {
    this.domain = domain;
    this.tenant = tenant;
    this.cluster = cluster;
    this.namespacePortion = ns;
    this.localName = local;
    this.partitionIndex = partitionIndexOf(local);
  }

  /** Throws a ProtocolError with code InvalidName. */
  static parse(text: string): TopicName {
    const at = text.indexOf("://");
    if (at < 0) {
      const parts = text.split("/");
      if (parts.length === 1) return TopicName.#make("persistent", ["public", "default", text], text);
      if (parts.length === 3) return TopicName.#make("persistent", parts, text);
      throw invalid(text, "a short name is local or tenant/namespace/local");
    }
    const domain = text.slice(0, at);
    if (domain !== "persistent" && domain !== "non-persistent") throw invalid(text, `unknown domain ${domain}`);
    const parts = text.slice(at + 3).split("/");
    if (parts.length < 3) throw invalid(text, "it needs tenant/namespace/local");
    return TopicName.#make(domain, parts, text);
  }

  static #make(domain: TopicDomain, parts: readonly string[], text: string): TopicName {
    if (parts.slice(0, 3).some((p) => p.trim() === "")) throw invalid(text, "a part of it is empty");
    if (parts.length === 3) {
      const [tenant, ns, local] = parts as [string, string, string];
      checkEntity(tenant, text);
      checkEntity(ns, text);
      return new TopicName(domain, tenant, undefined, ns, local);
    }
    const [tenant, cluster, ns, ...rest] = parts as [string, string, string, ...string[]];
    const local = rest.join("/");
    if (local === "") throw invalid(text, "a part of it is empty");
    return new TopicName(domain, tenant, cluster, ns, local);
  }

  get persistent(): boolean {
    return this.domain === "persistent";
  }

  /** `tenant/namespace`, or `tenant/cluster/namespace` in V1. */
  get namespace(): string {
    const { tenant, cluster, namespacePortion } = this;
    return cluster === undefined ? `${tenant}/${namespacePortion}` : `${tenant}/${cluster}/${namespacePortion}`;
  }

  /** The name of the partitioned topic this is a partition of, or of the topic itself. */
  get partitionedTopicName(): string {
    if (this.partitionIndex < 0) return this.toString();
    return this.toString().slice(0, this.toString().lastIndexOf(PARTITION_SUFFIX));
  }

  /** The name of partition `index` of this topic. */
  partition(index: number): string {
    return `${this.partitionedTopicName}${PARTITION_SUFFIX}${index}`;
  }

  toString(): string {
    return `${this.domain}://${this.namespace}/${this.localName}`;
  }
}

/** The number behind the last `-partition-` of a local name, or -1 where there is none or it is no plain number. */
export function partitionIndexOf(localName: string): number {
  const at = localName.lastIndexOf(PARTITION_SUFFIX);
  if (at < 0) return -1;
  const digits = localName.slice(at + PARTITION_SUFFIX.length);
  return /^(0|[1-9]\d{0,8})$/.test(digits) ? Number(digits) : -1;
}

const ENTITY = /^[-=:.\w]+$/;

function checkEntity(name: string, text: string): void {
  if (!ENTITY.test(name))
    throw invalid(text, `"${name}" has a character that is not one of letters, digits, - = : . _`);
}

function invalid(text: string, why: string): ProtocolError {
  return new ProtocolError("InvalidName", `"${text}" is not a topic name: ${why}`);
}
