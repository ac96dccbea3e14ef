import type { TopicDomain, TopicName } from "@pulsewire/protocol";
import type { MetadataStore } from "../../metadata/metadata-store.ts";
import { JsonResource } from "./json-resource.ts";
import { decodeName, paths } from "./names.ts";
import { ResourceError } from "./resource-error.ts";

interface PartitionedTopicMetadata {
  partitions: number;
  properties?: Readonly<Record<string, string>>;
}

/** How many partitions a topic has, at `/admin/partitioned-topics/...`. Every method rejects with a ResourceError. */
export class PartitionedTopics {
  readonly #json: JsonResource<PartitionedTopicMetadata>;

  constructor(store: MetadataStore) {
    this.#json = new JsonResource(store);
  }

  /** 0 for a topic that is not partitioned. */
  async partitions(topic: TopicName): Promise<number> {
    return (await this.#json.get(paths.partitionedTopic(topic)))?.partitions ?? 0;
  }

  async properties(topic: TopicName): Promise<Readonly<Record<string, string>>> {
    return (await this.#json.get(paths.partitionedTopic(topic)))?.properties ?? {};
  }

  /** Full names of the partitioned topics of a namespace. */
  async list(namespace: string, domain: TopicDomain = "persistent"): Promise<string[]> {
    const names = await this.#json.children(paths.partitionedTopics(namespace, domain));
    return names.map((name) => `${domain}://${namespace}/${decodeName(name)}`);
  }

  /** AlreadyExists when there is one; Invalid for a name that is a partition's itself. */
  async create(topic: TopicName, partitions: number, properties?: Readonly<Record<string, string>>): Promise<void> {
    if (topic.partitionIndex >= 0) throw new ResourceError("Invalid", `${topic} is the name of a partition`);
    if (!Number.isInteger(partitions) || partitions < 1) {
      throw new ResourceError("Invalid", `a partitioned topic has at least 1 partition, not ${partitions}`);
    }
    await this.#json.create(paths.partitionedTopic(topic), properties ? { partitions, properties } : { partitions });
  }

  /** Grows a topic; Invalid when the number would not grow. */
  async grow(topic: TopicName, partitions: number): Promise<void> {
    await this.#json.update(paths.partitionedTopic(topic), (before) => {
      if (!Number.isInteger(partitions) || partitions <= before.partitions) {
        throw new ResourceError("Invalid", `${topic} has ${before.partitions} partitions and can only get more`);
      }
      return { ...before, partitions };
    });
  }

  async setProperties(topic: TopicName, properties: Readonly<Record<string, string>>): Promise<void> {
    await this.#json.update(paths.partitionedTopic(topic), (before) => ({ ...before, properties }));
  }

  delete(topic: TopicName): Promise<void> {
    return this.#json.delete(paths.partitionedTopic(topic));
  }
}
