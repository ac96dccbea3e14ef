import type { MetadataStore } from "../../metadata/metadata-store.ts";
import { JsonResource } from "./json-resource.ts";
import { paths } from "./names.ts";
import type { Policies } from "./policies.ts";

const PREFIX = "/admin/policies/";

/** Namespaces and their policies, at `/admin/policies/<tenant>/<namespace>`. Every method rejects with a ResourceError. */
export class Namespaces {
  readonly #json: JsonResource<Policies>;

  constructor(store: MetadataStore) {
    this.#json = new JsonResource(store);
  }

  /** Full names (`tenant/namespace`). */
  async list(tenant: string): Promise<string[]> {
    return (await this.#json.children(paths.tenant(tenant))).map((name) => `${tenant}/${name}`);
  }

  get(namespace: string): Promise<Policies | undefined> {
    return this.#json.get(paths.namespace(namespace));
  }

  exists(namespace: string): Promise<boolean> {
    return this.#json.exists(paths.namespace(namespace));
  }

  create(namespace: string, policies: Policies): Promise<void> {
    return this.#json.create(paths.namespace(namespace), policies);
  }

  /** `change` may run more than once. Answers the new policies. */
  update(namespace: string, change: (policies: Policies) => Policies): Promise<Policies> {
    return this.#json.update(paths.namespace(namespace), change);
  }

  delete(namespace: string): Promise<void> {
    return this.#json.delete(paths.namespace(namespace));
  }

  /** Told the full name of a namespace that came, changed or went. */
  watch(listener: (namespace: string) => void): Disposable {
    return this.#json.watch(PREFIX, (event) => {
      const name = event.key.slice(PREFIX.length);
      if (name.includes("/")) listener(name);
    });
  }
}
