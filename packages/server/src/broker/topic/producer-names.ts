import type { MetadataStore } from "../../metadata/metadata-store.ts";
import { paths } from "../resources/names.ts";

/** Names for producers that bring none: `<cluster>-<n>-<m>`, n of this broker's start, m of the producer. */
export class ProducerNames {
  readonly #store: MetadataStore;
  readonly #cluster: string;
  #prefix: Promise<string> | undefined;
  #next = 0;

  constructor(store: MetadataStore, cluster: string) {
    this.#store = store;
    this.#cluster = cluster;
  }

  /** A name that no producer of this cluster ever had. */
  async next(): Promise<string> {
    this.#prefix ??= this.#makePrefix();
    return `${await this.#prefix}-${this.#next++}`;
  }

  async #makePrefix(): Promise<string> {
    try {
      return `${this.#cluster}-${await this.#store.nextSequence(paths.producerNames)}`;
    } catch (error) {
      this.#prefix = undefined;
      throw error;
    }
  }
}
