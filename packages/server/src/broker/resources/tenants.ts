import type { MetadataStore } from "../../metadata/metadata-store.ts";
import { JsonResource } from "./json-resource.ts";
import { paths } from "./names.ts";
import type { TenantInfo } from "./policies.ts";
import { ResourceError } from "./resource-error.ts";

/** Tenants, at `/admin/policies/<tenant>`. Every method rejects with a ResourceError. */
export class Tenants {
  readonly #json: JsonResource<TenantInfo>;

  constructor(store: MetadataStore) {
    this.#json = new JsonResource(store);
  }

  list(): Promise<string[]> {
    return this.#json.children(paths.tenants);
  }

  get(tenant: string): Promise<TenantInfo | undefined> {
    return this.#json.get(paths.tenant(tenant));
  }

  exists(tenant: string): Promise<boolean> {
    return this.#json.exists(paths.tenant(tenant));
  }

  create(tenant: string, info: TenantInfo): Promise<void> {
    return this.#json.create(paths.tenant(tenant), info);
  }

  async update(tenant: string, info: TenantInfo): Promise<void> {
    await this.#json.update(paths.tenant(tenant), () => info);
  }

  /** Conflict while it has namespaces. */
  async delete(tenant: string): Promise<void> {
    const namespaces = await this.#json.children(paths.tenant(tenant));
    if (namespaces.length > 0)
      throw new ResourceError("Conflict", `tenant ${tenant} still has ${namespaces.join(", ")}`);
    await this.#json.delete(paths.tenant(tenant));
  }
}
