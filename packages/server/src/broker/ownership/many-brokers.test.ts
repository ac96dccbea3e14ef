import { type CommandLookupTopicResponse, CommandType, ServerError, TopicName } from "@pulsewire/protocol";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { type Cluster, startCluster } from "../../cluster/cluster.ts";
import { createTestRuntime, ProtocolClient, type TestRuntime } from "../connection/protocol-client-fixture.ts";

let runtime: TestRuntime;
let cluster: Cluster;
beforeEach(async () => {
  runtime = createTestRuntime();
  cluster = await startCluster({ runtime, brokers: 2 });
});
afterEach(() => cluster.close());

const CONNECT = 1;
const REDIRECT = 0;
const urlOf = (i: number): string => cluster.brokers[i]?.urls.serviceUrl ?? "";

async function lookup(
  client: ProtocolClient,
  topic: string,
  authoritative = false,
): Promise<CommandLookupTopicResponse> {
  return (await client.request(CommandType.LOOKUP, { topic, authoritative })).body as CommandLookupTopicResponse;
}

/** A topic that broker `index` should own. */
async function topicFor(index: number): Promise<string> {
  for (let i = 0; i < 100; i++) {
    const owner = await cluster.admin.ownerOf(TopicName.parse(`t${i}`));
    if (owner === cluster.brokers[index]) return `t${i}`;
  }
  throw new Error(`broker ${index} owns nothing`);
}

describe("several brokers", () => {
  it("send a client from one that does not own a topic to the one that does", async () => {
    const asked = await ProtocolClient.connect(runtime, urlOf(0));
    const topic = await topicFor(1);
    expect(await lookup(asked, topic)).toMatchObject({ response: REDIRECT, brokerServiceUrl: urlOf(1) });
    const owner = await ProtocolClient.connect(runtime, urlOf(1));
    expect(await lookup(owner, topic)).toMatchObject({
      response: CONNECT,
      brokerServiceUrl: urlOf(1),
      authoritative: true,
      proxyThroughServiceUrl: false,
    });
    const refused = await asked.request(CommandType.PRODUCER, { topic, producerId: 1 });
    expect(refused.body).toMatchObject({
      error: ServerError.ServiceNotReady,
      message: expect.stringContaining("Please redo the lookup"),
    });
    await owner.producer(topic, 1);
  });

  it("give a bundle nobody owns to the broker a client was sent to with authority", async () => {
    const clients = [await ProtocolClient.connect(runtime, urlOf(0)), await ProtocolClient.connect(runtime, urlOf(1))];
    const first = await lookup(clients[0] as ProtocolClient, "fresh");
    if (first.response === CONNECT) {
      expect(await lookup(clients[1] as ProtocolClient, "fresh")).toMatchObject({ response: REDIRECT });
      return;
    }
    expect(first).toMatchObject({ authoritative: true, brokerServiceUrl: urlOf(1) });
    expect(await lookup(clients[1] as ProtocolClient, "fresh", true)).toMatchObject({ response: CONNECT });
  });

  it("make one owner when both are asked at once", async () => {
    const topic = TopicName.parse("contested");
    const answers = await Promise.all(cluster.brokers.map((broker) => broker.lookupTopic(topic, true)));
    expect(answers.map((a) => a.kind).sort()).toEqual(["connect", "redirect"]);
    expect(answers[0]?.broker.brokerId).toBe(answers[1]?.broker.brokerId);
  });

  it("spread bundles over both", async () => {
    for (let i = 0; i < 100; i++) await cluster.admin.ownerOf(TopicName.parse(`t${i}`));
    for (const broker of cluster.brokers) expect(broker.ownership.owned.size).toBeGreaterThan(0);
  });

  it("answer over WebSocket for each other, and serve each other's topics there", async () => {
    const topic = await topicFor(1);
    const front = await ProtocolClient.connect(runtime, cluster.webSocketUrl);
    expect(await lookup(front, topic)).toMatchObject({
      response: CONNECT,
      brokerServiceUrl: urlOf(1),
      proxyThroughServiceUrl: true,
    });
    const hostPort = new URL(urlOf(1)).host;
    const routed = await ProtocolClient.connect(runtime, cluster.webSocketUrl, { proxyToBrokerUrl: hostPort });
    await routed.producer(topic, 1);
    await routed.consumer(topic, 1);
    routed.publish(1, 0);
    await routed.next(CommandType.SEND_RECEIPT);
    await routed.next(CommandType.MESSAGE);
    expect(cluster.brokers[1]?.connections.size).toBe(1);
  });

  it("hand a topic on when its broker closes, with all it holds", async () => {
    const topic = await topicFor(1);
    const owner = await ProtocolClient.connect(runtime, urlOf(1));
    await owner.producer(topic, 1);
    await owner.consumer(topic, 1, {}, 0);
    owner.publish(1, 0);
    await owner.next(CommandType.SEND_RECEIPT);
    await cluster.brokers[1]?.close();
    await owner.next(CommandType.CLOSE_PRODUCER);
    await runtime.clock.settle();
    expect(owner.closed).toBe(true);
    const other = await ProtocolClient.connect(runtime, urlOf(0));
    expect(await lookup(other, topic)).toMatchObject({ response: CONNECT, brokerServiceUrl: urlOf(0) });
    await other.consumer(topic, 1);
    expect((await other.next(CommandType.MESSAGE)).messageId.entryId).toBe(0);
  });

  it("serve nobody again who comes back while they close", async () => {
    const topic = await topicFor(1);
    const owner = await ProtocolClient.connect(runtime, urlOf(1));
    await owner.producer(topic, 1);
    const closing = cluster.brokers[1]?.close();
    await owner.next(CommandType.CLOSE_PRODUCER);
    const requestId = owner.requestId();
    owner.send(CommandType.PRODUCER, { topic, producerId: 1, requestId });
    const answer = await owner.answer(requestId).catch(() => undefined);
    if (answer !== undefined) expect(answer.body).toMatchObject({ error: ServerError.ServiceNotReady });
    await closing;
    expect(cluster.brokers[1]?.topics.loaded.size).toBe(0);
  });

  it("let a bundle go when told: its topics close, and it has no owner until the next lookup", async () => {
    const topic = await topicFor(0);
    const client = await ProtocolClient.connect(runtime, urlOf(0));
    await client.producer(topic, 1);
    const name = TopicName.parse(topic);
    await cluster.admin.unloadBundle("public/default", await cluster.admin.bundleOf(name));
    await client.next(CommandType.CLOSE_PRODUCER);
    const refused = await client.request(CommandType.PRODUCER, { topic, producerId: 1 });
    expect(refused.body).toMatchObject({ error: ServerError.ServiceNotReady });
    await client.producer(topic, 1);
  });

  it("own nothing any more once the session is over, and serve again with the next", async () => {
    const topic = await topicFor(1);
    const owner = await ProtocolClient.connect(runtime, urlOf(1));
    await owner.producer(topic, 1);
    cluster.metadata.expire(cluster.sessionOf(cluster.brokers[1] as Cluster["brokers"][0]));
    await owner.next(CommandType.CLOSE_PRODUCER);
    const other = await ProtocolClient.connect(runtime, urlOf(0));
    const answer = await lookup(other, topic);
    await (answer.brokerServiceUrl === urlOf(0) ? other : owner).producer(topic, 1);

    const ids = cluster.brokers.map((broker) => broker.urls.brokerId).sort();
    const observer = cluster.metadata.session();
    await vi.waitFor(async () => expect(await observer.children("/loadbalance/brokers")).toEqual(ids));
    await cluster.admin.unloadNamespace("public/default");
    const again = await topicFor(1);
    const later = await ProtocolClient.connect(runtime, urlOf(1));
    await later.producer(again, 2);
    expect(cluster.brokers[1]?.topics.loaded.size).toBe(1);
    await observer.close();
  });
});
