import { describe, expect, it } from "vitest";
import { CoreClient } from "../client.ts";
import { outcome, startFixture } from "../testing/fixture.ts";

describe("options", () => {
  it.each([
    ["topic", { topic: "" }],
    ["maxPendingMessages", { maxPendingMessages: 0 }],
    ["sendTimeoutMs", { sendTimeoutMs: -1 }],
    ["batchingMaxMessages", { batchingMaxMessages: 1.5 }],
    ["batchingType", { batchingType: "x" as never }],
    ["compressionType", { compressionType: "GZIP" as never }],
    ["accessMode", { accessMode: "x" as never }],
    ["messageRouter", { messageRoutingMode: "CustomPartition" as const }],
    ["properties.a", { properties: { a: 1 as never } }],
    ["blockIfQueueFull", { blockIfQueueFull: "yes" as never }],
  ])("that are wrong are refused by name: %s", async (name, options) => {
    const { runtime } = await startFixture();
    const client = new CoreClient({ serviceUrl: "pulsar://nowhere" }, runtime);
    const error = await client.createProducer({ topic: "t", ...options }).catch((e) => e);
    expect(error.message).toContain(`InvalidConfiguration: ${name}`);
  });

  it("that are misspelt are refused, and told which ones were meant", async () => {
    const { client } = await startFixture();
    const misspelt = [
      [{ maxPendingMesages: 5 }, "did you mean maxPendingMessages?"],
      [{ compresionType: "LZ4" }, "did you mean compressionType?"],
      [{ qwertyuiop: 1 }, 'a producer has no option "qwertyuiop"'],
    ] as const;
    for (const [options, text] of misspelt) {
      const error = await client.createProducer({ topic: "t", ...options }).catch((e) => e);
      expect(error.code).toBe("InvalidConfiguration");
      expect(error.message).toContain(text);
    }
  });

  it.each([
    ["chunkingEnabled", { chunkingEnabled: 1 as never }],
    ["chunkMaxMessageSize", { chunkMaxMessageSize: -1 }],
    ["encryptionKeys", { encryptionKeys: "key" as never }],
    ["encryptionKeys", { encryptionKeys: ["key", ""] }],
    ["encryptionKeys", { encryptionKeys: ["key"] }],
    ["encryptionKeys", { cryptoKeyReader: {} }],
    ["cryptoKeyReader", { encryptionKeys: ["key"], cryptoKeyReader: 5 as never }],
    ["cryptoKeyReader.getPublicKey", { encryptionKeys: ["key"], cryptoKeyReader: { getPublicKey: 5 as never } }],
    ["cryptoFailureAction", { cryptoFailureAction: "DISCARD" as never }],
    ["maxPendingMessagesAcrossPartitions", { maxPendingMessagesAcrossPartitions: 0 }],
    ["lazyStartPartitionedProducers", { lazyStartPartitionedProducers: "yes" as never }],
  ])("about payloads and partitions that are wrong are refused by name: %s", async (name, options) => {
    const { client } = await startFixture();
    const error = await client.createProducer({ topic: "t", ...options }).catch((e) => e);
    expect(error.message).toContain(`InvalidConfiguration: ${name}`);
  });

  it("that name no topic are refused", async () => {
    const { client } = await startFixture();
    for (const topic of ["tenant/cluster", "a/b/c/d", "x://a/b/c"]) {
      expect(await outcome(client.createProducer({ topic }))).toBe("InvalidTopicName");
    }
  });
});
