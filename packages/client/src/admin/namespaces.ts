import { type AdminHttp, flagged, type RequestOptions } from "./admin-http.ts";
import { namespacePath, segment } from "./paths.ts";
import {
  type BacklogQuota,
  type BacklogQuotaType,
  type Bundles,
  type NamespaceOptions,
  type NamespacePolicy,
  type NamespacePolicyValues,
  type Policies,
  PUT_OF_NAMESPACE,
  REMOVAL_PATHS,
} from "./policies.ts";
import type { DeleteOptions } from "./tenants.ts";

export type AuthAction = "produce" | "consume" | "functions" | "sources" | "sinks" | "packages";

/** `/admin/v2/namespaces`. A namespace is `tenant/namespace`. */
export class Namespaces {
  readonly #http: AdminHttp;

  /** @internal */
  constructor(http: AdminHttp) {
    this.#http = http;
  }

  /** The namespaces of a tenant, as `tenant/namespace`. */
  list(tenant: string, options?: RequestOptions): Promise<string[]> {
    return this.#http.json("GET", `/admin/v2/namespaces/${segment("tenant", tenant)}`, options);
  }

  /** Everything that is set for a namespace. */
  get(namespace: string, options?: RequestOptions): Promise<Policies> {
    return this.#http.json("GET", pathOf(namespace), options);
  }

  create(namespace: string, create: NamespaceOptions = {}, options?: RequestOptions): Promise<void> {
    const { numBundles, replicationClusters } = create;
    const body = {
      ...(numBundles === undefined ? {} : { bundles: { numBundles } }),
      ...(replicationClusters === undefined ? {} : { replication_clusters: replicationClusters }),
    };
    return this.#http.done("PUT", pathOf(namespace), { ...options, body });
  }

  delete(namespace: string, options?: DeleteOptions): Promise<void> {
    return this.#http.done("DELETE", pathOf(namespace), flagged("delete", options, { force: undefined }));
  }

  /** The topics that exist, by their full names; of partitioned ones, the partitions. */
  topics(namespace: string, options?: RequestOptions): Promise<string[]> {
    return this.#http.json("GET", `${pathOf(namespace)}/topics`, options);
  }

  bundles(namespace: string, options?: RequestOptions): Promise<Bundles> {
    return this.#http.json("GET", `${pathOf(namespace)}/bundles`, options);
  }

  /** Lets every topic go; each loads again where it is next asked for. */
  unload(namespace: string, options?: RequestOptions): Promise<void> {
    return this.#http.done("PUT", `${pathOf(namespace)}/unload`, options);
  }

  /** The same of one bundle, such as `0x00000000_0x40000000`. */
  unloadBundle(namespace: string, bundle: string, options?: RequestOptions): Promise<void> {
    return this.#http.done("PUT", `${pathOf(namespace)}/${segment("bundle", bundle)}/unload`, options);
  }

  splitBundle(namespace: string, bundle: string, options?: SplitOptions): Promise<void> {
    const path = `${pathOf(namespace)}/${segment("bundle", bundle)}/split`;
    return this.#http.done("PUT", path, flagged("splitBundle", options, { unload: undefined }));
  }

  /** Acknowledges everything, for all subscriptions, or for one. */
  clearBacklog(namespace: string, subscription?: string, options?: RequestOptions): Promise<void> {
    const of = subscription === undefined ? "" : `/${segment("subscription", subscription)}`;
    return this.#http.done("POST", `${pathOf(namespace)}/clearBacklog${of}`, options);
  }

  /** Who may do what, by role. */
  permissions(namespace: string, options?: RequestOptions): Promise<Record<string, AuthAction[]>> {
    return this.#http.json("GET", `${pathOf(namespace)}/permissions`, options);
  }

  grant(namespace: string, role: string, actions: readonly AuthAction[], options?: RequestOptions): Promise<void> {
    const path = `${pathOf(namespace)}/permissions/${segment("role", role)}`;
    return this.#http.done("POST", path, { ...options, body: actions });
  }

  revoke(namespace: string, role: string, options?: RequestOptions): Promise<void> {
    return this.#http.done("DELETE", `${pathOf(namespace)}/permissions/${segment("role", role)}`, options);
  }

  /**
   * One policy. Where it is not set and the cluster's own holds, Pulsar answers nothing, hence undefined; of some an empty list
   * or object.
   */
  getPolicy<P extends NamespacePolicy>(
    namespace: string,
    policy: P,
    options?: RequestOptions,
  ): Promise<NamespacePolicyValues[P] | undefined> {
    return this.#http.json("GET", `${pathOf(namespace)}/${segment("policy", policy)}`, options);
  }

  setPolicy<P extends NamespacePolicy>(
    namespace: string,
    policy: P,
    value: NamespacePolicyValues[P],
    options?: RequestOptions,
  ): Promise<void> {
    const method = PUT_OF_NAMESPACE.has(policy) ? "PUT" : "POST";
    return this.#http.done(method, `${pathOf(namespace)}/${segment("policy", policy)}`, { ...options, body: value });
  }

  /** Has the cluster's own hold again. A policy that Pulsar cannot unset is refused with status 412. */
  removePolicy(namespace: string, policy: NamespacePolicy, options?: RequestOptions): Promise<void> {
    const path = REMOVAL_PATHS[policy] ?? segment("policy", policy);
    return this.#http.done("DELETE", `${pathOf(namespace)}/${path}`, options);
  }

  backlogQuotas(namespace: string, options?: RequestOptions): Promise<Partial<Record<BacklogQuotaType, BacklogQuota>>> {
    return this.#http.json("GET", `${pathOf(namespace)}/backlogQuotaMap`, options);
  }

  setBacklogQuota(
    namespace: string,
    quota: BacklogQuota,
    type: BacklogQuotaType = "destination_storage",
    options?: RequestOptions,
  ): Promise<void> {
    const query = { backlogQuotaType: type };
    return this.#http.done("POST", `${pathOf(namespace)}/backlogQuota`, { ...options, query, body: quota });
  }

  removeBacklogQuota(
    namespace: string,
    type: BacklogQuotaType = "destination_storage",
    options?: RequestOptions,
  ): Promise<void> {
    const query = { backlogQuotaType: type };
    return this.#http.done("DELETE", `${pathOf(namespace)}/backlogQuota`, { ...options, query });
  }
}

export interface SplitOptions extends RequestOptions {
  /** Let the halves go at once. Default false. */
  unload?: boolean;
}

function pathOf(namespace: string): string {
  return `/admin/v2/namespaces/${namespacePath(namespace)}`;
}
