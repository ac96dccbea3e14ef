import { type TopicDomain, TopicName } from "@pulsewire/protocol";
import { type Context, Hono } from "hono";
import type { Position } from "../managed-ledger/index.ts";
import type { RateSampler } from "../metrics/rate-sampler.ts";
import type { AdminContext } from "./admin-context.ts";
import { AdminError } from "./admin-error.ts";
import { addPolicyRoutes, TOPIC_POLICIES } from "./policy-routes.ts";
import { integerBody, isRecord, isTrue, jsonBody } from "./request-body.ts";
import { internalStatsJson, partitionedStatsJson, topicStatsJson } from "./stats-json.ts";
import { addSubscriptionRoutes } from "./subscriptions.ts";
import { deletePartitionedTopic, deleteTopic, eachPartition, existingTopic, partitionsOf } from "./topic-operations.ts";

export function messageIdJson(position: Position, partitionIndex: number): Record<string, number> {
  return { ledgerId: position.ledgerId, entryId: position.entryId, partitionIndex, batchIndex: -1, batchSize: 0 };
}

/** `/admin/v2/persistent` or `/admin/v2/non-persistent`. */
export function topicRoutes(context: AdminContext, domain: TopicDomain, rates: RateSampler): Hono {
  const routes = new Hono();
  const topicOf = (c: Context): TopicName =>
    TopicName.parse(`${domain}://${c.req.param("tenant")}/${c.req.param("namespace")}/${c.req.param("topic")}`);
  addListRoutes(routes, context, domain);
  addPartitionRoutes(routes, context, topicOf, rates);
  addTopicRoutes(routes, context, topicOf, rates);
  addSubscriptionRoutes(routes, context, topicOf);
  addPolicyRoutes(routes, "/:tenant/:namespace/:topic", TOPIC_POLICIES, {
    read: (c) => context.resources.topicPolicies.get(topicOf(c)),
    async write(c, change) {
      await context.resources.topicPolicies.update(topicOf(c), change);
    },
  });
  return routes;
}

async function requireNamespace(context: AdminContext, namespace: string): Promise<void> {
  if (!(await context.resources.namespaces.exists(namespace))) throw new AdminError(404, "Namespace does not exist");
}

function addListRoutes(routes: Hono, context: AdminContext, domain: TopicDomain): void {
  const { topics, partitionedTopics } = context.resources;
  const nameOf = (c: Context): string => `${c.req.param("tenant")}/${c.req.param("namespace")}`;
  routes.get("/:tenant/:namespace", async (c) => {
    await requireNamespace(context, nameOf(c));
    return c.json(domain === "persistent" ? await topics.list(nameOf(c)) : []);
  });
  routes.get("/:tenant/:namespace/partitioned", async (c) => {
    await requireNamespace(context, nameOf(c));
    return c.json(await partitionedTopics.list(nameOf(c), domain));
  });
}

type TopicOf = (c: Context) => TopicName;

async function topicExists(context: AdminContext, name: TopicName): Promise<boolean> {
  return (await context.resources.partitionedTopics.partitions(name)) > 0 || context.resources.topics.exists(name);
}

function addPartitionRoutes(routes: Hono, context: AdminContext, topicOf: TopicOf, rates: RateSampler): void {
  const { partitionedTopics } = context.resources;
  const path = "/:tenant/:namespace/:topic/partitions";
  routes.put(path, async (c) => {
    const name = topicOf(c);
    const body = await jsonBody(c);
    // pulsar-admin sends an object where there are properties
    const count = isRecord(body) ? body.partitions : body;
    if (name.localName.includes("-partition-")) {
      throw new AdminError(412, "Partitioned Topic Name should not contain '-partition-'");
    }
    if (!Number.isInteger(count) || (count as number) < 1) {
      throw new AdminError(406, "Number of partitions should be more than 0");
    }
    await requireNamespace(context, name.namespace);
    if (await topicExists(context, name)) throw new AdminError(409, "This topic already exists");
    await partitionedTopics.create(name, count as number);
    await createPartitions(context, name);
    return c.body(null, 204);
  });
  routes.post(path, async (c) => {
    const name = topicOf(c);
    const wanted = await integerBody(c, "The number of partitions");
    const current = await partitionedTopics.partitions(name);
    if (current === 0) throw new AdminError(404, `Topic ${name} is not the partitioned topic.`);
    if (wanted < current) {
      throw new AdminError(422, `Desired partitions ${wanted} can't be less than the current partitions ${current}.`);
    }
    if (wanted > current) await partitionedTopics.grow(name, wanted);
    // before consumers look for them: what is sent there waits for the subscriptions that the topic has
    if (name.persistent) await copySubscriptions(context, name, { from: current, below: wanted });
    await createPartitions(context, name);
    return c.body(null, 204);
  });
  routes.get(path, async (c) => {
    const name = topicOf(c);
    const partitions = await partitionedTopics.partitions(name);
    const mayCreate = isTrue(c.req.query("checkAllowAutoCreation")) && context.settings.allowAutoTopicCreation;
    if (partitions === 0 && !mayCreate && !(await topicExists(context, name))) {
      throw new AdminError(404, `Topic ${name} not found`);
    }
    return c.json({ partitions, deleted: false });
  });
  routes.delete(path, async (c) => {
    await deletePartitionedTopic(context, topicOf(c), isTrue(c.req.query("force")));
    return c.body(null, 204);
  });
  routes.get("/:tenant/:namespace/:topic/partitioned-stats", async (c) => {
    const name = topicOf(c);
    if ((await partitionedTopics.partitions(name)) === 0) {
      throw new AdminError(404, `Partitioned Topic not found: ${name} has zero partitions`);
    }
    const stats = new Map<string, Record<string, unknown>>();
    await eachPartition(context, name, async (topic) => {
      const owner = await context.lookup(topic.name);
      stats.set(topic.name.toString(), topicStatsJson(topic, owner, rates.ratesOf(topic.name.toString())));
    });
    return c.json(partitionedStatsJson(stats, c.req.query("perPartition") !== "false"));
  });
}

/** Gives new partitions the durable subscriptions of the first one. */
async function copySubscriptions(
  context: AdminContext,
  name: TopicName,
  added: { from: number; below: number },
): Promise<void> {
  const first = await context.topic(TopicName.parse(name.partition(0)), true);
  const names = [...(first?.subscriptions ?? [])].flatMap(([subscription, s]) =>
    s.cursor.durable ? [subscription] : [],
  );
  for (let index = added.from; index < added.below; index++) {
    const topic = await context.topic(TopicName.parse(name.partition(index)), true);
    for (const subscription of names) {
      if (topic?.subscriptions.has(subscription) === false) await topic.createSubscription(subscription, "latest", {});
    }
  }
}

/** Partitions exist from the start, so that they are listed before anybody attaches. */
async function createPartitions(context: AdminContext, name: TopicName): Promise<void> {
  if (name.persistent) for (const partition of await partitionsOf(context, name)) await context.topic(partition, true);
}

function addTopicRoutes(routes: Hono, context: AdminContext, topicOf: TopicOf, rates: RateSampler): void {
  const { partitionedTopics } = context.resources;
  const path = "/:tenant/:namespace/:topic";
  routes.put(path, async (c) => {
    const name = topicOf(c);
    await requireNamespace(context, name.namespace);
    if (await topicExists(context, name)) throw new AdminError(409, "This topic already exists");
    await context.topic(name, true);
    return c.body(null, 204);
  });
  routes.delete(path, async (c) => {
    const name = topicOf(c);
    if ((await partitionedTopics.partitions(name)) > 0) {
      const hint = "instead of calling delete topic, please call delete-partitioned-topic.";
      throw new AdminError(409, `${name} is a partitioned topic, ${hint}`);
    }
    await deleteTopic(context, name, isTrue(c.req.query("force")));
    return c.body(null, 204);
  });
  routes.get(`${path}/stats`, async (c) => {
    const topic = await existingTopic(context, topicOf(c));
    return c.json(topicStatsJson(topic, await context.lookup(topic.name), rates.ratesOf(topic.name.toString())));
  });
  routes.get(`${path}/internalStats`, async (c) =>
    c.json(internalStatsJson((await existingTopic(context, topicOf(c))).ledger)),
  );
  routes.get(`${path}/lastMessageId`, async (c) => {
    const topic = await existingTopic(context, topicOf(c));
    return c.json(messageIdJson(topic.ledger.lastConfirmed, topic.name.partitionIndex));
  });
  routes.get(`${path}/messageid/:timestamp{-?[0-9]+}`, async (c) => {
    const topic = await existingTopic(context, topicOf(c));
    const time = Number(c.req.param("timestamp"));
    const before = await topic.ledger.findNewestMatching((entry) => entry.metadata.publishTime < time);
    const position = before === undefined ? topic.ledger.firstPosition : topic.ledger.nextPosition(before);
    return c.json(messageIdJson(position, topic.name.partitionIndex));
  });
  routes.put(`${path}/unload`, async (c) => {
    const name = topicOf(c);
    if (!(await topicExists(context, name))) throw new AdminError(404, `Topic ${name} not found`);
    for (const partition of await partitionsOf(context, name)) await context.unloadTopic(partition);
    return c.body(null, 204);
  });
  routes.post(`${path}/terminate`, async (c) => {
    const topic = await existingTopic(context, topicOf(c));
    return c.json(messageIdJson(await topic.terminate(), topic.name.partitionIndex));
  });
  routes.post(`${path}/trim`, async (c) => {
    const name = topicOf(c);
    if (!name.persistent) throw new AdminError(405, "Trim on a non-persistent topic is not allowed");
    await eachPartition(context, name, (topic) => topic.ledger.trim());
    return c.body(null, 200);
  });
  routes.delete(`${path}/truncate`, async (c) => {
    await eachPartition(context, topicOf(c), (topic) => topic.ledger.truncate());
    return c.body(null, 204);
  });
}
