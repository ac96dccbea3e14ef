import { TopicName } from "@pulsewire/protocol";
import type { Subscription } from "../broker/subscription/contracts.ts";
import type { AdminContext, AdminTopic } from "./admin-context.ts";
import { AdminError } from "./admin-error.ts";

/** The topic, or 404. */
export async function existingTopic(context: AdminContext, name: TopicName): Promise<AdminTopic> {
  const topic = await context.topic(name, false);
  if (topic === undefined) throw new AdminError(404, `Topic ${name} not found`);
  return topic;
}

/** The partitions of a partitioned topic, or the topic itself. */
export async function partitionsOf(context: AdminContext, name: TopicName): Promise<TopicName[]> {
  if (name.partitionIndex >= 0) return [name];
  const count = await context.resources.partitionedTopics.partitions(name);
  if (count === 0) return [name];
  return Array.from({ length: count }, (_, i) => TopicName.parse(name.partition(i)));
}

/** Does something to each partition, in order; a partition nobody has touched yet is made first. */
export async function eachPartition(
  context: AdminContext,
  name: TopicName,
  action: (topic: AdminTopic) => Promise<void> | void,
): Promise<void> {
  const partitions = await partitionsOf(context, name);
  for (const partition of partitions) {
    const topic = partition === name ? await existingTopic(context, name) : await context.topic(partition, true);
    if (topic !== undefined) await action(topic);
  }
}

/** The subscription, or 404. */
export function existingSubscription(topic: AdminTopic, name: string): Subscription {
  const subscription = topic.subscriptions.get(name);
  if (subscription === undefined) {
    throw new AdminError(404, `Subscription ${name} not found for topic ${topic.name}`);
  }
  return subscription;
}

/** Deletes one topic, its schema and its policies. */
export async function deleteTopic(context: AdminContext, name: TopicName, force: boolean): Promise<void> {
  const topic = await existingTopic(context, name);
  if (!force) refuseWhileInUse(topic);
  await context.deleteTopic(name, force);
  if (name.partitionIndex < 0) {
    await context.resources.schemas.purge(name);
    await context.resources.topicPolicies.delete(name);
  }
}

function refuseWhileInUse(topic: AdminTopic): void {
  const attached = [...topic.subscriptions.values()].filter((s) => s.consumers.length > 0);
  if (topic.producers.size > 0 || attached.length > 0) {
    throw new AdminError(412, `Topic has active producers/subscriptions`);
  }
}

/** Deletes a partitioned topic with all that is in its partitions. */
export async function deletePartitionedTopic(context: AdminContext, name: TopicName, force: boolean): Promise<void> {
  const { partitionedTopics, schemas, topicPolicies } = context.resources;
  if ((await partitionedTopics.partitions(name)) === 0) {
    throw new AdminError(404, `Partitioned Topic not found: ${name} has zero partitions`);
  }
  for (const partition of await partitionsOf(context, name)) {
    const topic = await context.topic(partition, false);
    if (topic === undefined) continue;
    if (!force) refuseWhileInUse(topic);
    await context.deleteTopic(partition, force);
  }
  await partitionedTopics.delete(name);
  await schemas.purge(name);
  await topicPolicies.delete(name);
}
