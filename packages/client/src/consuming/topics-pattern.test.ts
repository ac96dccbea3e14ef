import { CommandType, encodeFrame, ServerError } from "@pulsewire/protocol";
import { describe, expect, it } from "vitest";
import { type Fixture, startFixture } from "../testing/fixture.ts";
import type { Consumer } from "./consumer.ts";
import type { ConsumerOptions } from "./consumer-options.ts";
import { resolvePattern } from "./topics-pattern.ts";

const BASE = "persistent://public/default/";

describe("a pattern", () => {
  it.each([
    ["a text for public/default", "a.*", `${BASE}abc`, true],
    ["the whole name and not a part of it", "a", `${BASE}abc`, false],
    ["with a namespace", "t/n/a.*", "persistent://t/n/abc", true],
    ["no other namespace's", "t/n/a.*", "persistent://t/m/abc", false],
    ["no namespace by a dot in its name", "t/n.s/a", "persistent://t/nxs/a", false],
    ["with a domain", "persistent://t/n/a.*", "persistent://t/n/abc", true],
    ["a RegExp with slashes", /persistent:\/\/t\/n\/a-\d+/, "persistent://t/n/a-12", true],
    ["a RegExp with anchors and a flag", /^t\/n\/A$/i, "persistent://t/n/a", true],
    ["either of two, as a whole", "a|b", `${BASE}bc`, false],
    ["a name with a colon", "t1:t1", `${BASE}t1:t1`, true],
    ["a partition by its topic's name", "parts", `${BASE}parts-partition-3`, true],
    ["none that the broker keeps for itself", ".*", `${BASE}__change_events`, false],
    ["none that transactions keep", ".*", `${BASE}t-s__transaction_pending_ack`, false],
    ["persistent topics only, unless told otherwise", ".*", "non-persistent://public/default/a", false],
  ])("matches %s", (_, pattern, topic, matches) => {
    expect(resolvePattern(pattern, "PersistentOnly").matches(topic)).toBe(matches);
  });

  it("matches topics of the domains it is told to", () => {
    const topics = [`${BASE}a`, "non-persistent://public/default/a"];
    const matched = (mode: "NonPersistentOnly" | "AllTopics"): string[] =>
      topics.filter((t) => resolvePattern("a", mode).matches(t));
    expect([matched("NonPersistentOnly").length, matched("AllTopics").length]).toEqual([1, 2]);
  });

  it("tells the broker only what it reads the same way", () => {
    expect(resolvePattern("t/n/a.*", "PersistentOnly").forBroker).toBe("t/n/a.*");
    expect(resolvePattern("t/n/a|b", "PersistentOnly").forBroker).toBe("t/n/.*");
    expect(resolvePattern(/t\/n\/a/i, "PersistentOnly").forBroker).toBe("t/n/.*");
  });

  it.each([[5], [""], ["t/a"], ["("], ["non-persistent://t/n/a"], ["t n/x/a"]])(
    "is refused where it is none: %s",
    (wrong) => {
      expect(() => resolvePattern(wrong, "PersistentOnly")).toThrow(/InvalidConfiguration|InvalidTopicName/);
    },
  );
});

interface WithConsumer extends Fixture {
  consumer: Consumer;
  update(added: string[], deleted?: string[]): Promise<void>;
}

/** A consumer by pattern, and a broker that watches topics unless told otherwise. */
async function start(
  topics: string[],
  options: Partial<ConsumerOptions> = {},
  supportsTopicWatchers = true,
): Promise<WithConsumer> {
  const fixture = await startFixture();
  const { broker, client, settle } = fixture;
  broker.on(CommandType.CONNECT, (_, connection) => {
    const body = { serverVersion: "fake", protocolVersion: 21, featureFlags: { supportsTopicWatchers } };
    connection.send({ type: CommandType.CONNECTED, body });
    return true;
  });
  broker.on(CommandType.GET_TOPICS_OF_NAMESPACE, ({ requestId }, connection) => {
    const body = { requestId, topics: [...topics] };
    connection.send({ type: CommandType.GET_TOPICS_OF_NAMESPACE_RESPONSE, body });
    return true;
  });
  broker.on(CommandType.WATCH_TOPIC_LIST, ({ requestId, watcherId }, connection) => {
    const body = { requestId, watcherId, topic: [...topics], topicsHash: "" };
    connection.send({ type: CommandType.WATCH_TOPIC_LIST_SUCCESS, body });
    return true;
  });
  broker.on(CommandType.WATCH_TOPIC_LIST_CLOSE, ({ requestId }, connection) => {
    connection.send({ type: CommandType.SUCCESS, body: { requestId } });
    return true;
  });
  const consumer = await client.subscribe({ topicsPattern: "a.*", subscription: "s", ...options });
  await settle();
  const update = async (newTopics: string[], deletedTopics: string[] = []): Promise<void> => {
    const watcherId = broker.of(CommandType.WATCH_TOPIC_LIST).at(-1)?.watcherId ?? 0;
    const body = { watcherId, newTopics, deletedTopics, topicsHash: "" };
    broker.connection.send({ type: CommandType.WATCH_TOPIC_UPDATE, body });
    await settle();
  };
  return { ...fixture, consumer, update };
}

const subscribed = ({ broker }: Fixture): string[] =>
  broker.of(CommandType.SUBSCRIBE).map((s) => s.topic.replace(BASE, ""));

describe("a consumer by pattern", () => {
  it("subscribes to what matches, and never makes a topic", async () => {
    const fixture = await start([`${BASE}a1`, `${BASE}b1`, `${BASE}a2-partition-0`]);
    expect(subscribed(fixture)).toEqual(["a1", "a2-partition-0"]);
    expect(fixture.broker.of(CommandType.SUBSCRIBE).map((s) => s.forceTopicCreation)).toEqual([false, false]);
  });

  it("follows topics that come and go", async () => {
    const fixture = await start([`${BASE}a1`]);
    await fixture.update([`${BASE}a2`, `${BASE}other`]);
    expect(fixture.consumer.topics).toEqual([`${BASE}a1`, `${BASE}a2`]);
    await fixture.update([], [`${BASE}a1`]);
    expect(fixture.consumer.topics).toEqual([`${BASE}a2`]);
    expect(fixture.broker.of(CommandType.CLOSE_CONSUMER).length).toBe(1);
  });

  it("tells of an acknowledgement that came too late for a topic that is gone", async () => {
    const { broker, consumer, update } = await start([`${BASE}a1`, `${BASE}a2`]);
    const [first] = broker.of(CommandType.SUBSCRIBE);
    broker.deliver({ consumerId: first?.consumerId as number, entryId: 0, texts: ["x"] });
    const message = await consumer.receive();
    await update([], [message.topic]);
    await expect(consumer.acknowledge(message)).rejects.toThrow("was deleted");
  });

  it("drops only the topic that is refused because it does not exist any more", async () => {
    const { broker, consumer, clock } = await start([`${BASE}a1`, `${BASE}a2`]);
    broker.on(CommandType.SUBSCRIBE, ({ requestId, topic }, connection) => {
      if (!topic.endsWith("a1")) return false;
      const body = { requestId, error: ServerError.TopicNotFound, message: "gone" };
      connection.send({ type: CommandType.ERROR, body });
      return true;
    });
    broker.connection.drop();
    await clock.advance(1000);
    expect([consumer.topics, consumer.isConnected]).toEqual([[`${BASE}a2`], true]);
  });

  it("watches again after a lost connection, and catches up on what it missed", async () => {
    const topics = [`${BASE}a1`];
    const { broker, consumer, clock, update } = await start(topics);
    topics.push(`${BASE}a2`);
    broker.connection.drop();
    await clock.advance(1000);
    expect(broker.of(CommandType.WATCH_TOPIC_LIST).length).toBe(2);
    expect(consumer.topics).toEqual(topics);
    await update([`${BASE}a3`]);
    expect(consumer.topics.length).toBe(3);
  });

  it("misses no change that comes right behind the broker's answer", async () => {
    const fixture = await start([]);
    const { broker, consumer, clock, settle } = fixture;
    broker.on(CommandType.WATCH_TOPIC_LIST, ({ requestId, watcherId }, connection) => {
      const success = { requestId, watcherId, topic: [], topicsHash: "" };
      const update = { watcherId, newTopics: [`${BASE}a1`], deletedTopics: [], topicsHash: "" };
      const frames = [
        encodeFrame({ type: CommandType.WATCH_TOPIC_LIST_SUCCESS, body: success }),
        encodeFrame({ type: CommandType.WATCH_TOPIC_UPDATE, body: update }),
      ];
      connection.channel.write(Uint8Array.from(frames.flatMap((frame) => [...frame])));
      return true;
    });
    broker.connection.drop();
    await clock.advance(1000);
    await settle();
    expect(consumer.topics).toEqual([`${BASE}a1`]);
  });

  it("believes what the broker tells more than what it answered before", async () => {
    const { broker, consumer, clock, settle } = await start([], { patternAutoDiscoveryPeriodMs: 5000 });
    broker.on(CommandType.GET_TOPICS_OF_NAMESPACE, ({ requestId }, connection) => {
      const watcherId = broker.of(CommandType.WATCH_TOPIC_LIST).at(-1)?.watcherId ?? 0;
      const update = { watcherId, newTopics: [`${BASE}a1`], deletedTopics: [], topicsHash: "" };
      connection.send({ type: CommandType.WATCH_TOPIC_UPDATE, body: update });
      connection.send({ type: CommandType.GET_TOPICS_OF_NAMESPACE_RESPONSE, body: { requestId, topics: [] } });
      return true;
    });
    await clock.advance(5000);
    await settle();
    expect(consumer.topics).toEqual([`${BASE}a1`]);
  });

  it("asks now and then where the broker cannot watch", async () => {
    const topics = [`${BASE}a1`];
    const { broker, consumer, clock } = await start(topics, { patternAutoDiscoveryPeriodMs: 5000 }, false);
    expect(broker.of(CommandType.WATCH_TOPIC_LIST)).toEqual([]);
    topics.splice(0, 1, `${BASE}a2`);
    await clock.advance(5000);
    expect(consumer.topics).toEqual([`${BASE}a2`]);
  });

  it("tries a topic that could not be had once more when it asks again", async () => {
    const { broker, consumer, clock, update } = await start([], { patternAutoDiscoveryPeriodMs: 5000 });
    broker.refuse(CommandType.SUBSCRIBE, ServerError.ConsumerAssignError);
    await update([`${BASE}a1`]);
    expect(consumer.topics).toEqual([]);
    broker.off(CommandType.SUBSCRIBE);
    broker.on(CommandType.GET_TOPICS_OF_NAMESPACE, ({ requestId }, connection) => {
      const body = { requestId, topics: [], changed: false };
      connection.send({ type: CommandType.GET_TOPICS_OF_NAMESPACE_RESPONSE, body });
      return true;
    });
    await clock.advance(5000);
    expect(consumer.topics).toEqual([`${BASE}a1`]);
  });

  it("withdraws its watch when it is closed", async () => {
    const { broker, consumer, client, clock } = await start([`${BASE}a1`]);
    await consumer.close();
    expect(broker.of(CommandType.WATCH_TOPIC_LIST_CLOSE).length).toBe(1);
    await client.close();
    expect(clock.pendingTimers).toBe(0);
  });

  it("stands alone among the options that name topics", async () => {
    const { client } = await startFixture();
    const options = { topic: "t", topicsPattern: "a", subscription: "s" };
    await expect(client.subscribe(options)).rejects.toThrow("one of topic, topics and topicsPattern");
    const mode = { topic: "t", subscription: "s", subscriptionTopicsMode: "AllTopics" as const };
    await expect(client.subscribe(mode)).rejects.toThrow("subscriptionTopicsMode");
  });
});
