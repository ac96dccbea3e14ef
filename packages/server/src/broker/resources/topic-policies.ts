import { TopicName } from "@pulsewire/protocol";
import type { MetadataStore } from "../../metadata/metadata-store.ts";
import { JsonResource } from "./json-resource.ts";
import { paths } from "./names.ts";
import type { TopicPolicies } from "./policies.ts";

/** Policies of single topics. Those of a partitioned topic hold for its partitions. */
export class TopicPoliciesStore {
  readonly #json: JsonResource<TopicPolicies>;

  constructor(store: MetadataStore) {
    this.#json = new JsonResource(store);
  }

  get(topic: TopicName): Promise<TopicPolicies | undefined> {
    return this.#json.get(this.#path(topic));
  }

  /** `change` may run more than once. Answers the new policies. */
  update(topic: TopicName, change: (policies: TopicPolicies) => TopicPolicies): Promise<TopicPolicies> {
    return this.#json.update(this.#path(topic), change, {});
  }

  async delete(topic: TopicName): Promise<void> {
    const path = this.#path(topic);
    if (await this.#json.exists(path)) await this.#json.delete(path);
  }

  /** Told when policies of this topic changed. */
  watch(topic: TopicName, listener: () => void): Disposable {
    return this.#json.watch(this.#path(topic), listener);
  }

  #path(topic: TopicName): string {
    return paths.topicPolicies(topic.partitionIndex < 0 ? topic : TopicName.parse(topic.partitionedTopicName));
  }
}
