import { CommandType, encodeFrame, ServerError } from "@pulsewire/protocol";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Cluster, startCluster } from "../../cluster/cluster.ts";
import { besides, createTestRuntime, entryOf, ProtocolClient, type TestRuntime } from "./protocol-client-fixture.ts";

let runtime: TestRuntime;
let cluster: Cluster;
beforeEach(async () => {
  runtime = createTestRuntime();
  cluster = await startCluster({ runtime });
});
afterEach(() => cluster.close());

/** The neighbour: it must not feel what others do. */
async function works(client: ProtocolClient): Promise<void> {
  client.send(CommandType.PING, {});
  await client.next(CommandType.PONG);
}

describe("hostile input", () => {
  it.each([
    ["a frame above the limit", [0x7f, 0xff, 0xff, 0xff, 0, 0, 0, 4]],
    ["a frame of size 0", [0, 0, 0, 0]],
    ["a command longer than its frame", [0, 0, 0, 8, 0, 0, 0, 99, 1, 2, 3, 4]],
    ["a command of an unknown type", [0, 0, 0, 7, 0, 0, 0, 3, 8, 0xdc, 1]],
    ["a command that ends in mid-field", [0, 0, 0, 6, 0, 0, 0, 2, 8, 0x80]],
  ])("ends a connection that sends %s, and no other", async (_what, bytes) => {
    const neighbour = await ProtocolClient.connect(runtime, cluster.serviceUrl);
    const client = await ProtocolClient.connect(runtime, cluster.serviceUrl);
    client.sendBytes(Uint8Array.from(bytes));
    await runtime.clock.settle();
    expect(client.closed).toBe(true);
    await works(neighbour);
  });

  it("ends a connection that publishes for a producer it never opened", async () => {
    const client = await ProtocolClient.connect(runtime, cluster.serviceUrl);
    client.publish(77, 0);
    await runtime.clock.settle();
    expect(client.closed).toBe(true);
  });

  it("refuses a message whose checksum is right and whose metadata is garbage", async () => {
    const client = await ProtocolClient.connect(runtime, cluster.serviceUrl);
    await client.producer("t", 1);
    // no checksum magic, so that the bytes are taken as they are: a metadata size far beyond the end
    client.send(CommandType.SEND, { producerId: 1, sequenceId: 0 }, Uint8Array.of(0, 0, 255, 255, 1, 2, 3));
    expect(await client.next(CommandType.SEND_ERROR)).toMatchObject({ error: ServerError.NotAllowedError });
    client.publish(1, 1);
    expect((await client.next(CommandType.SEND_RECEIPT)).sequenceId).toBe(1);
  });

  it("bounds what one connection opens", async () => {
    await using small = await startCluster({
      runtime: besides(runtime),
      settings: { maxProducersAndConsumersPerConnection: 2 },
    });
    const client = await ProtocolClient.connect(runtime, small.serviceUrl);
    await client.producer("t", 1);
    await client.producer("t", 2);
    await expect(client.producer("t", 3)).rejects.toThrow(/at most 2 on one connection/);
  });

  it("takes no more connections than it is told", async () => {
    await using small = await startCluster({ runtime: besides(runtime), settings: { brokerMaxConnections: 1 } });
    const first = await ProtocolClient.connect(runtime, small.serviceUrl);
    const second = await ProtocolClient.open(runtime, small.serviceUrl);
    await runtime.clock.settle();
    expect(second.closed).toBe(true);
    await works(first);
  });

  it("survives any bytes, before and after the handshake, without a neighbour feeling it", async () => {
    const neighbour = await ProtocolClient.connect(runtime, cluster.serviceUrl);
    await neighbour.producer("t", 1);
    let sequenceId = 0;
    await fc.assert(
      fc.asyncProperty(fc.boolean(), fc.uint8Array({ maxLength: 200 }), async (greets, bytes) => {
        const client = await (greets ? ProtocolClient.connect : ProtocolClient.open)(runtime, cluster.serviceUrl);
        client.sendBytes(bytes);
        client.close();
        neighbour.publish(1, sequenceId);
        expect((await neighbour.next(CommandType.SEND_RECEIPT)).sequenceId).toBe(sequenceId++);
      }),
      { numRuns: 200, seed: 1 },
    );
  });

  it("survives valid frames with one byte changed", async () => {
    const neighbour = await ProtocolClient.connect(runtime, cluster.serviceUrl);
    const entry = entryOf(0);
    const frames = [
      encodeFrame({ type: CommandType.LOOKUP, body: { topic: "t", requestId: 1 } }),
      encodeFrame({ type: CommandType.PRODUCER, body: { topic: "t", producerId: 1, requestId: 2 } }),
      Uint8Array.from([
        ...encodeFrame({ type: CommandType.SEND, body: { producerId: 1, sequenceId: 0 } }, entry.length),
        ...entry,
      ]),
      encodeFrame({
        type: CommandType.SUBSCRIBE,
        body: { topic: "t", subscription: "s", subType: 1, consumerId: 1, requestId: 3 },
      }),
      encodeFrame({ type: CommandType.FLOW, body: { consumerId: 1, messagePermits: 10 } }),
    ];
    await fc.assert(
      fc.asyncProperty(fc.nat(4), fc.nat(200), fc.integer({ min: 1, max: 255 }), async (which, where, flip) => {
        const client = await ProtocolClient.connect(runtime, cluster.serviceUrl);
        frames.forEach((frame, i) => {
          const bytes = frame.slice();
          if (i === which) bytes[where % bytes.length] = (bytes[where % bytes.length] as number) ^ flip;
          client.sendBytes(bytes);
        });
        await runtime.clock.settle();
        client.close();
        await works(neighbour);
      }),
      { numRuns: 200, seed: 2 },
    );
  });
});
