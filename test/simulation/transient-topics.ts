import type { Consumer, PulsarClient } from "@pulsewire/client";
import { ServerError, TopicName } from "@pulsewire/protocol";
import type { Cluster } from "@pulsewire/server";
import { BrokerError } from "../../packages/server/src/broker/broker-error.ts";

/** Topics beside those of the workload: each is made, used a little, and deleted. */
export class TransientTopics {
  /** All that ever were, as their names stand in metadata. */
  readonly names: string[] = [];
  readonly #client: PulsarClient;
  readonly #cluster: Cluster;

  constructor(client: PulsarClient, cluster: Cluster) {
    this.#client = client;
    this.#cluster = cluster;
  }

  /** Makes the next, with two messages in it and a subscription, and answers its name. Rejects where that failed half way. */
  async make(): Promise<string> {
    const name = `transient-${this.names.length}-`;
    this.names.push(name);
    const topic = topicOf(name).toString();
    const consumer = await this.#client.subscribe({ topic, subscription: "s" });
    try {
      await this.#use(topic, consumer);
    } finally {
      // who stays attached makes the topic again once it is deleted
      await consumer.close();
    }
    return name;
  }

  async #use(topic: string, consumer: Consumer): Promise<void> {
    const producer = await this.#client.createProducer({ topic, batchingEnabled: false });
    try {
      await Promise.all(["a", "b"].map((text) => producer.send(text)));
    } finally {
      await producer.close();
    }
    await consumer.acknowledge(await consumer.receive());
  }

  /** Rejects where it cannot be done now. */
  async remove(name: string): Promise<void> {
    try {
      await this.#cluster.admin.deleteTopic(topicOf(name), true);
    } catch (error) {
      if (!(error instanceof BrokerError && error.code === ServerError.TopicNotFound)) throw error;
    }
  }
}

function topicOf(name: string): TopicName {
  return TopicName.parse(`persistent://public/default/${name}`);
}
