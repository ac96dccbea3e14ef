import type { MetadataStore } from "../metadata/metadata-store.ts";
import type { Namespaces } from "./resources/namespaces.ts";
import type { Topic } from "./topic/topic.ts";

const TOPIC_POLICIES = "/admin/topic-policies/";

export interface PolicyWatchOptions {
  namespaces: Namespaces;
  metadata: MetadataStore;
  loaded(): Iterable<Topic>;
  onError(error: unknown): void;
}

/** Tells loaded topics when the policies of their namespace or their own changed. */
export class PolicyWatch implements Disposable {
  readonly #options: PolicyWatchOptions;
  readonly #watches: Disposable[];

  constructor(options: PolicyWatchOptions) {
    this.#options = options;
    this.#watches = [
      options.namespaces.watch((namespace) => this.#changed((topic) => topic.name.namespace === namespace)),
      // the policies of a partitioned topic hold for its partitions; telling a neighbour too costs it one read
      options.metadata.watch(TOPIC_POLICIES, ({ key }) =>
        this.#changed((topic) => key.startsWith(`${TOPIC_POLICIES}${topic.name.namespace}/`)),
      ),
    ];
  }

  [Symbol.dispose](): void {
    for (const watch of this.#watches) watch[Symbol.dispose]();
  }

  #changed(concerns: (topic: Topic) => boolean): void {
    for (const topic of this.#options.loaded()) {
      if (concerns(topic)) topic.policiesChanged().catch(this.#options.onError);
    }
  }
}
