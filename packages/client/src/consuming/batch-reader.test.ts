import { encodeBatch } from "@pulsewire/protocol";
import { describe, expect, it } from "vitest";
import { BatchReader, readBatchedMetadata } from "./batch-reader.ts";

const encode = (text: string): Uint8Array => new TextEncoder().encode(text);
const batch = encodeBatch([
  { metadata: { payloadSize: 3, sequenceId: 300, properties: [{ key: "a", value: "b" }] }, payload: encode("one") },
  {
    metadata: { payloadSize: 0, compactedOut: true, partitionKey: "k", orderingKey: encode("o") },
    payload: encode(""),
  },
  { metadata: { payloadSize: 5, eventTime: 2 ** 50 }, payload: encode("three") },
]);

describe("the batch reader", () => {
  it("steps from message to message", () => {
    const reader = new BatchReader(batch);
    const seen: [string, boolean][] = [];
    for (let i = 0; i < 3; i++) {
      reader.next();
      const payload = batch.subarray(reader.metadataEnd, reader.payloadEnd);
      seen.push([new TextDecoder().decode(payload), reader.compactedOut]);
    }
    expect(seen).toEqual([
      ["one", false],
      ["", true],
      ["three", false],
    ]);
  });

  it("leaves where a message's metadata can be read later", () => {
    const reader = new BatchReader(batch);
    reader.next();
    reader.next();
    const { partitionKey, compactedOut } = readBatchedMetadata(batch, reader.metadataStart);
    expect([partitionKey, compactedOut]).toEqual(["k", true]);
  });

  it("refuses a batch that is cut off anywhere", () => {
    for (let length = 0; length < batch.length; length++) {
      const reader = new BatchReader(batch.subarray(0, length));
      expect(() => {
        for (let i = 0; i < 3; i++) reader.next();
      }).toThrow(/Truncated|InvalidMessage/);
    }
  });

  it("refuses a size that lies", () => {
    const lying = batch.slice();
    lying[0] = 255;
    expect(() => new BatchReader(lying).next()).toThrow("Truncated");
  });
});
