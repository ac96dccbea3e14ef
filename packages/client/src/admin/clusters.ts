import type { AdminHttp, RequestOptions } from "./admin-http.ts";
import { segment } from "./paths.ts";

/** Where a cluster is, for those that replicate to it. */
export interface ClusterData {
  serviceUrl?: string;
  serviceUrlTls?: string;
  brokerServiceUrl?: string;
  brokerServiceUrlTls?: string;
  [field: string]: unknown;
}

/** `/admin/v2/clusters`. */
export class Clusters {
  readonly #http: AdminHttp;

  /** @internal */
  constructor(http: AdminHttp) {
    this.#http = http;
  }

  list(options?: RequestOptions): Promise<string[]> {
    return this.#http.json("GET", "/admin/v2/clusters", options);
  }

  get(cluster: string, options?: RequestOptions): Promise<ClusterData> {
    return this.#http.json("GET", pathOf(cluster), options);
  }

  create(cluster: string, data: ClusterData, options?: RequestOptions): Promise<void> {
    return this.#http.done("PUT", pathOf(cluster), { ...options, body: data });
  }

  update(cluster: string, data: ClusterData, options?: RequestOptions): Promise<void> {
    return this.#http.done("POST", pathOf(cluster), { ...options, body: data });
  }

  delete(cluster: string, options?: RequestOptions): Promise<void> {
    return this.#http.done("DELETE", pathOf(cluster), options);
  }
}

function pathOf(cluster: string): string {
  return `/admin/v2/clusters/${segment("cluster", cluster)}`;
}
