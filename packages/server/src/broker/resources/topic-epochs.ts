import type { TopicName } from "@pulsewire/protocol";
import type { MetadataStore } from "../../metadata/metadata-store.ts";
import { JsonResource } from "./json-resource.ts";
import { paths } from "./names.ts";

/**
 * The epoch of a topic's last exclusive producer. It only grows, and outlives the broker, so that a producer that
 * was fenced out stays out.
 */
export class TopicEpochs {
  readonly #json: JsonResource<{ epoch: number }>;

  constructor(store: MetadataStore) {
    this.#json = new JsonResource(store);
  }

  /** Undefined while the topic never had an exclusive producer. */
  async get(topic: TopicName): Promise<number | undefined> {
    return (await this.#json.get(paths.topicEpoch(topic)))?.epoch;
  }

  async set(topic: TopicName, epoch: number): Promise<void> {
    await this.#json.put(paths.topicEpoch(topic), { epoch });
  }

  async delete(topic: TopicName): Promise<void> {
    const path = paths.topicEpoch(topic);
    if (await this.#json.exists(path)) await this.#json.delete(path);
  }
}
