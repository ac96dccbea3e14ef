import { BOOKIE_RACKS_KEY, type BookieRackGroups } from "../bookkeeper/index.ts";
import { JsonResource } from "../broker/resources/json-resource.ts";
import type { MetadataStore } from "../metadata/index.ts";

/** The racks of bookies, for administration. Rejects with a ResourceError. */
export class BookieRackTable {
  readonly #resource: JsonResource<BookieRackGroups>;

  constructor(session: MetadataStore) {
    this.#resource = new JsonResource(session);
  }

  async all(): Promise<BookieRackGroups> {
    return (await this.#resource.get(BOOKIE_RACKS_KEY)) ?? {};
  }

  async update(change: (groups: BookieRackGroups) => BookieRackGroups): Promise<void> {
    await this.#resource.update(BOOKIE_RACKS_KEY, change, {});
  }
}
