import type { TopicName } from "@pulsewire/protocol";
import type { Context, Hono } from "hono";
import type { Subscription } from "../broker/subscription/contracts.ts";
import type { AdminContext, AdminTopic, SubscriptionStart } from "./admin-context.ts";
import { AdminError } from "./admin-error.ts";
import { messageResponse } from "./message-response.ts";
import { isRecord, isTrue, jsonBody } from "./request-body.ts";
import { eachPartition, existingSubscription, existingTopic } from "./topic-operations.ts";

type TopicOf = (c: Context) => TopicName;
type OnSubscription = (topic: AdminTopic, subscription: Subscription, c: Context) => Promise<void> | void;

const PATH = "/:tenant/:namespace/:topic/subscription/:subscription";

function integerParam(c: Context, name: string): number {
  const text = c.req.param(name) ?? "";
  if (!/^-?\d+$/.test(text)) throw new AdminError(404, `${name} takes an integer, not ${text}`);
  return Number(text);
}

/** `"latest"`, `"earliest"` or a message id as JSON; nothing means the end of the log. */
function startFrom(body: unknown, topic: AdminTopic): SubscriptionStart {
  if (body === undefined || body === "latest") return "latest";
  if (body === "earliest") return "earliest";
  if (!isRecord(body) || !Number.isFinite(body.ledgerId) || !Number.isFinite(body.entryId)) {
    throw new AdminError(400, "A position is a JSON object of ledgerId and entryId");
  }
  const [ledgerId, entryId] = [body.ledgerId as number, body.entryId as number];
  if (ledgerId < 0) return "earliest";
  if (ledgerId > Number.MAX_SAFE_INTEGER) return "latest";
  const position = { ledgerId, entryId };
  // a position is excluded on request: the cursor then starts behind it
  return isTrue(String(body.isExcluded)) ? topic.ledger.nextPosition(position) : position;
}

/** Where a reset by id puts the cursor: at the entry itself, unless it is excluded. */
async function resetTo(topic: AdminTopic, subscription: Subscription, body: unknown): Promise<void> {
  const start = startFrom(body, topic);
  if (start === "earliest") await subscription.seek(topic.ledger.firstPosition);
  else if (start === "latest") await subscription.seek(topic.ledger.nextPosition(topic.ledger.lastConfirmed));
  else await subscription.seek(start);
}

/** What is done to the cursor of a subscription, on each partition of the topic. */
const OPERATIONS: readonly { method: "post" | "put"; path: string; act: OnSubscription }[] = [
  { method: "post", path: `${PATH}/skip_all`, act: (_t, s) => s.clearBacklog() },
  { method: "post", path: `${PATH}/skip/:count`, act: (_t, s, c) => s.skip(integerParam(c, "count")) },
  {
    method: "post",
    path: `${PATH}/resetcursor/:timestamp`,
    async act(topic, subscription, c) {
      const time = integerParam(c, "timestamp");
      const before = await topic.ledger.findNewestMatching((entry) => entry.metadata.publishTime < time);
      await subscription.seek(before === undefined ? topic.ledger.firstPosition : topic.ledger.nextPosition(before));
    },
  },
  {
    method: "post",
    path: `${PATH}/resetcursor`,
    act: async (topic, subscription, c) => resetTo(topic, subscription, await jsonBody(c)),
  },
];

export function addSubscriptionRoutes(routes: Hono, context: AdminContext, topicOf: TopicOf): void {
  for (const { method, path, act } of OPERATIONS) {
    routes[method](path, async (c) => {
      const name = c.req.param("subscription") as string;
      await eachPartition(context, topicOf(c), (topic) => act(topic, existingSubscription(topic, name), c));
      return c.body(null, 204);
    });
  }
  addExpiry(routes, context, topicOf);
  addLifecycle(routes, context, topicOf);
  addPeek(routes, context, topicOf);
}

/** The text is Pulsar's, by which tools know the case. */
function notExpiring(topic: AdminTopic, subscription: Subscription): string {
  const what = `Expire message by timestamp not issued on topic ${topic.name} for subscription ${subscription.name}`;
  const why = "due to ongoing message expiration not finished or subscription almost catch  up.";
  const hint = "If it's performed on a partitioned topic operation might succeeded on other partitions";
  return `${what} ${why} ${hint}, please check stats of individual partition.`;
}

function addExpiry(routes: Hono, context: AdminContext, topicOf: TopicOf): void {
  const expire = async (topic: AdminTopic, subscription: Subscription, seconds: number): Promise<void> => {
    if (subscription.cursor.backlogEntries === 0) {
      throw new AdminError(409, notExpiring(topic, subscription));
    }
    await subscription.expireBefore(context.clock.now() - seconds * 1000);
  };
  routes.post(`${PATH}/expireMessages/:seconds`, async (c) => {
    const name = c.req.param("subscription");
    const seconds = integerParam(c, "seconds");
    await eachPartition(context, topicOf(c), (topic) => expire(topic, existingSubscription(topic, name), seconds));
    return c.body(null, 204);
  });
  routes.post("/:tenant/:namespace/:topic/all_subscription/expireMessages/:seconds", async (c) => {
    const before = context.clock.now() - integerParam(c, "seconds") * 1000;
    await eachPartition(context, topicOf(c), async (topic) => {
      for (const subscription of topic.subscriptions.values()) await subscription.expireBefore(before);
    });
    return c.body(null, 204);
  });
}

function addLifecycle(routes: Hono, context: AdminContext, topicOf: TopicOf): void {
  routes.get("/:tenant/:namespace/:topic/subscriptions", async (c) => {
    const names = new Set<string>();
    await eachPartition(context, topicOf(c), (topic) => {
      for (const [name, s] of topic.subscriptions) if (s.cursor.durable) names.add(name);
    });
    return c.json([...names].sort());
  });
  routes.put(PATH, async (c) => {
    const body = await jsonBody(c);
    const name = c.req.param("subscription");
    const properties = isRecord(body) && isRecord(body.properties) ? (body.properties as Record<string, string>) : {};
    await eachPartition(context, topicOf(c), async (topic) => {
      if (topic.subscriptions.has(name)) throw new AdminError(409, "Subscription already exists for topic");
      await topic.createSubscription(name, startFrom(body, topic), properties);
    });
    return c.body(null, 204);
  });
  routes.delete(PATH, async (c) => {
    const name = c.req.param("subscription");
    const force = isTrue(c.req.query("force"));
    await eachPartition(context, topicOf(c), async (topic) => {
      if (existingSubscription(topic, name).consumers.length > 0 && !force) {
        throw new AdminError(412, "Subscription has active connected consumers");
      }
      await topic.unsubscribe(name, undefined, force);
    });
    return c.body(null, 204);
  });
}

function addPeek(routes: Hono, context: AdminContext, topicOf: TopicOf): void {
  routes.get(`${PATH}/position/:position`, async (c) => {
    const topic = await existingTopic(context, topicOf(c));
    const { cursor } = existingSubscription(topic, c.req.param("subscription"));
    const nth = integerParam(c, "position");
    let position = topic.ledger.nextPosition(cursor.markDeleted);
    for (let seen = 0; seen < nth; position = topic.ledger.nextPosition(position)) {
      const entry = await topic.ledger.readEntry(position);
      if (entry === undefined) break;
      if (!cursor.isAcknowledged(position) && ++seen === nth) return messageResponse(context, entry);
    }
    throw new AdminError(404, "Message not found");
  });
  routes.get("/:tenant/:namespace/:topic/ledger/:ledgerId/entry/:entryId", async (c) => {
    const topic = await existingTopic(context, topicOf(c));
    const position = { ledgerId: integerParam(c, "ledgerId"), entryId: integerParam(c, "entryId") };
    const entry = await topic.ledger.readEntry(position);
    if (entry === undefined) throw new AdminError(404, "Message id not found");
    return messageResponse(context, entry);
  });
  routes.get("/:tenant/:namespace/:topic/examinemessage", async (c) => {
    const topic = await existingTopic(context, topicOf(c));
    const nth = Number(c.req.query("messagePosition") ?? "1");
    if (!Number.isInteger(nth) || nth < 1) throw new AdminError(412, "messagePosition takes an integer of at least 1");
    const { ledger } = topic;
    const fromEnd = (c.req.query("initialPosition") ?? "latest") === "latest";
    const first = ledger.previousPosition(ledger.firstPosition);
    const place = fromEnd ? ledger.entryCount - nth + 1 : nth;
    const entry = place < 1 ? undefined : await ledger.readEntry(ledger.positionAfter(first, place));
    if (entry === undefined) throw new AdminError(404, "Message not found");
    return messageResponse(context, entry);
  });
}
