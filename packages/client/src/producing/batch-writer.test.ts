import { decodeBatch, encodeBatch, type SingleMessageMetadata } from "@pulsewire/protocol";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { BatchWriter, sizeBound } from "./batch-writer.ts";
import { keyBytes, type ProducerMessage, payloadOf, wireKey } from "./producer-message.ts";

/** What the generated encoder makes of the same message. */
function metadataOf(message: ProducerMessage, payload: Uint8Array, sequenceId: number): SingleMessageMetadata {
  const { properties, key, orderingKey, eventTime } = message;
  const metadata: SingleMessageMetadata = { payloadSize: payload.length, sequenceId };
  if (properties !== undefined) {
    metadata.properties = Object.entries(properties).map(([k, value]) => ({ key: k, value }));
  }
  if (key !== undefined) metadata.partitionKey = wireKey(key).text;
  if (key !== undefined && wireKey(key).base64) metadata.partitionKeyB64Encoded = true;
  if (orderingKey !== undefined) metadata.orderingKey = keyBytes(orderingKey);
  if (eventTime !== undefined) metadata.eventTime = eventTime;
  if (message.data === null) metadata.nullValue = true;
  return metadata;
}

function both(messages: readonly ProducerMessage[], firstSequenceId: number): [Uint8Array, Uint8Array] {
  const writer = new BatchWriter(0);
  const generated = messages.map((m, i) => {
    const payload = payloadOf(m);
    writer.append(m, payload, firstSequenceId + i);
    return { metadata: metadataOf(m, payload, firstSequenceId + i), payload };
  });
  return [writer.finish(), encodeBatch(generated)];
}

const text = fc.oneof(fc.string({ maxLength: 40 }), fc.string({ unit: "grapheme", maxLength: 300 }));
const bytes = fc.uint8Array({ maxLength: 300 });
const message = fc.record(
  {
    data: fc.oneof(text, bytes, fc.constant(null)),
    properties: fc.dictionary(text, text, { maxKeys: 4, noNullPrototype: true }),
    key: fc.oneof(text, bytes),
    orderingKey: fc.oneof(text, bytes),
    eventTime: fc.maxSafeNat(),
  },
  { requiredKeys: [] },
);

describe("the batch writer", () => {
  it("writes what the generated encoder writes", () => {
    fc.assert(
      fc.property(fc.array(message, { minLength: 1, maxLength: 8 }), fc.maxSafeNat(), (messages, sequenceId) => {
        const [written, generated] = both(messages as ProducerMessage[], sequenceId);
        expect(written).toEqual(generated);
      }),
    );
  });

  it("never writes more beside a payload than its bound says", () => {
    fc.assert(
      fc.property(message, fc.maxSafeNat(), (m, sequenceId) => {
        const one = m as ProducerMessage;
        const [written] = both([one], sequenceId);
        expect(written.length - payloadOf(one).length).toBeLessThanOrEqual(sizeBound(one));
      }),
    );
  });

  it("keeps each message's own sequence id and properties, long and short", () => {
    const long = "x".repeat(5000);
    const [written] = both([{ data: "a", properties: { k: "v", long } }, { data: "b" }], 41);
    const [a, b] = decodeBatch(written, 2);
    expect(a?.metadata.properties).toEqual([
      { key: "k", value: "v" },
      { key: "long", value: long },
    ]);
    expect([a?.metadata.sequenceId, b?.metadata.sequenceId]).toEqual([41, 42]);
  });
});
