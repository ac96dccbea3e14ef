import { CommandType, ServerError } from "@pulsewire/protocol";
import { describe, expect, it } from "vitest";
import { outcome, startFixture } from "../testing/fixture.ts";
import { numbers, type WithProducer } from "../testing/producer-fixture.ts";
import type { ProducerOptions } from "./producer-options.ts";

describe("partitions", () => {
  async function partitioned(
    count: number,
    options: Partial<ProducerOptions> = {},
  ): Promise<WithProducer & { grow(n: number): void }> {
    const fixture = await startFixture();
    let partitions = count;
    fixture.broker.on(CommandType.PARTITIONED_METADATA, ({ requestId }, connection) => {
      const body = { requestId, partitions, response: 0 as const };
      connection.send({ type: CommandType.PARTITIONED_METADATA_RESPONSE, body });
      return true;
    });
    const producer = await fixture.client.createProducer({ topic: "t", ...options });
    return {
      ...fixture,
      producer,
      grow: (n) => {
        partitions = n;
      },
    };
  }

  it("have a producer each, and ids that tell which", async () => {
    const { broker, producer } = await partitioned(3, { batchingEnabled: false });
    expect(
      broker
        .of(CommandType.PRODUCER)
        .map((p) => p.topic)
        .sort(),
    ).toEqual([0, 1, 2].map((i) => `persistent://public/default/t-partition-${i}`));
    const ids = await Promise.all(numbers(6).map((t) => producer.send(t)));
    expect(ids.map((id) => id.partition).sort()).toEqual([0, 0, 1, 1, 2, 2]);
  });

  it("that are added are used after a while", async () => {
    const { producer, grow, clock } = await partitioned(3, { autoUpdatePartitionsIntervalMs: 1000 });
    grow(4);
    await clock.advance(1100);
    expect(producer.numberOfPartitions).toBe(4);
  });

  it("that cannot all be had close those that could", async () => {
    const { client, broker } = await startFixture();
    broker.on(CommandType.PARTITIONED_METADATA, ({ requestId }, connection) => {
      const body = { requestId, partitions: 2, response: 0 as const };
      connection.send({ type: CommandType.PARTITIONED_METADATA_RESPONSE, body });
      return true;
    });
    broker.on(CommandType.PRODUCER, ({ requestId, topic }, connection) => {
      if (topic.endsWith("0")) return false;
      const body = { requestId, error: ServerError.AuthorizationError, message: "no" };
      connection.send({ type: CommandType.ERROR, body });
      return true;
    });
    expect(await outcome(client.createProducer({ topic: "t" }))).toBe("AuthorizationError");
    expect(broker.of(CommandType.CLOSE_PRODUCER).length).toBe(1);
  });
});
