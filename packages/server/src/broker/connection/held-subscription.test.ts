import { CommandSubscribeSubType, CommandType, KeySharedMode, ServerError } from "@pulsewire/protocol";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Cluster, startCluster } from "../../cluster/cluster.ts";
import { createTestRuntime, ProtocolClient, type TestRuntime } from "./protocol-client-fixture.ts";

let runtime: TestRuntime;
let cluster: Cluster;
let client: ProtocolClient;
let other: ProtocolClient;
beforeEach(async () => {
  runtime = createTestRuntime();
  cluster = await startCluster({ runtime });
  client = await ProtocolClient.connect(runtime, cluster.serviceUrl);
  other = await ProtocolClient.connect(runtime, cluster.serviceUrl);
});
afterEach(() => cluster.close());

const exclusive = { subscription: "s", subType: CommandSubscribeSubType.Exclusive };
const sticky = {
  subscription: "s",
  subType: CommandSubscribeSubType.Key_Shared,
  keySharedMeta: { keySharedMode: KeySharedMode.STICKY, hashRanges: [{ start: 0, end: 65_535 }] },
};

describe.each([
  ["an exclusive subscription", "t", exclusive, ServerError.ConsumerBusy],
  ["an exclusive subscription of a non-persistent topic", "non-persistent", exclusive, ServerError.ConsumerBusy],
  ["a range of hashes", "t", sticky, ServerError.ConsumerAssignError],
])("%s that is held", (_, name, how, refusal) => {
  const topic = name === "t" ? "t" : "non-persistent://public/default/t";
  const subscribe = { topic, ...how };
  beforeEach(() => client.request(CommandType.LOOKUP, { topic }));

  it("is refused where the holder's connection answers", async () => {
    await client.request(CommandType.SUBSCRIBE, { ...subscribe, consumerId: 1 });
    const asked = other.request(CommandType.SUBSCRIBE, { ...subscribe, consumerId: 1 });
    await client.next(CommandType.PING);
    client.send(CommandType.PONG, {});
    expect((await asked).body).toMatchObject({ error: refusal });
  });

  it("is given where the holder's connection does not answer within 5 s, which is ended", async () => {
    await client.request(CommandType.SUBSCRIBE, { ...subscribe, consumerId: 1 });
    const asked = other.request(CommandType.SUBSCRIBE, { ...subscribe, consumerId: 1 });
    await client.next(CommandType.PING);
    await runtime.clock.advance(5000);
    expect((await asked).type).toBe(CommandType.SUCCESS);
    expect(client.closed).toBe(true);
  });

  it("is refused at once to the connection that holds it", async () => {
    await client.request(CommandType.SUBSCRIBE, { ...subscribe, consumerId: 1 });
    const again = await client.request(CommandType.SUBSCRIBE, { ...subscribe, consumerId: 2 });
    expect(again.body).toMatchObject({ error: refusal });
  });
});
