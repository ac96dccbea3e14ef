import { type AdminHttp, flagged, type RequestOptions } from "./admin-http.ts";
import { segment } from "./paths.ts";

export interface TenantInfo {
  adminRoles: readonly string[];
  allowedClusters: readonly string[];
}

export interface DeleteOptions extends RequestOptions {
  /** Delete what is inside and disconnect who uses it. Default false. */
  force?: boolean;
}

/** `/admin/v2/tenants`. */
export class Tenants {
  readonly #http: AdminHttp;

  /** @internal */
  constructor(http: AdminHttp) {
    this.#http = http;
  }

  list(options?: RequestOptions): Promise<string[]> {
    return this.#http.json("GET", "/admin/v2/tenants", options);
  }

  get(tenant: string, options?: RequestOptions): Promise<TenantInfo> {
    return this.#http.json("GET", pathOf(tenant), options);
  }

  create(tenant: string, info: Partial<TenantInfo>, options?: RequestOptions): Promise<void> {
    return this.#http.done("PUT", pathOf(tenant), { ...options, body: info });
  }

  update(tenant: string, info: Partial<TenantInfo>, options?: RequestOptions): Promise<void> {
    return this.#http.done("POST", pathOf(tenant), { ...options, body: info });
  }

  delete(tenant: string, options?: DeleteOptions): Promise<void> {
    return this.#http.done("DELETE", pathOf(tenant), flagged("delete", options, { force: undefined }));
  }
}

function pathOf(tenant: string): string {
  return `/admin/v2/tenants/${segment("tenant", tenant)}`;
}
