import { describe, expect, it } from "vitest";
import { MessageId } from "./message-id.ts";

describe("a message id", () => {
  it("comes back from its bytes with batch index and batch size", () => {
    const id = MessageId.of({ ledgerId: 11, entryId: 0, partition: 3, batchIndex: 151, batchSize: 200 });
    const copy = MessageId.fromBytes(id.toBytes());
    expect(copy).toEqual(id);
    expect(copy.equals(id)).toBe(true);
    expect(String(copy)).toBe("11:0:3:151");
  });

  it("without a partition or a batch has -1 for them", () => {
    const copy = MessageId.fromBytes(MessageId.of({ ledgerId: 5, entryId: 7 }).toBytes());
    expect([copy.partition, copy.batchIndex, copy.batchSize, String(copy)]).toEqual([-1, -1, 0, "5:7:-1"]);
  });

  it("that is earliest or latest survives too", () => {
    for (const id of [MessageId.earliest, MessageId.latest]) expect(MessageId.fromBytes(id.toBytes())).toEqual(id);
  });

  it("is ordered by ledger, entry, partition and index", () => {
    const ids = [
      MessageId.earliest,
      MessageId.of({ ledgerId: 1, entryId: 9, batchIndex: 5 }),
      MessageId.of({ ledgerId: 2, entryId: 0 }),
      MessageId.of({ ledgerId: 2, entryId: 0, batchIndex: 1 }),
      MessageId.of({ ledgerId: 2, entryId: 1 }),
      MessageId.latest,
    ];
    for (let i = 1; i < ids.length; i++) {
      expect(ids[i - 1]?.compareTo(ids[i] as MessageId)).toBeLessThan(0);
      expect(ids[i]?.compareTo(ids[i - 1] as MessageId)).toBeGreaterThan(0);
    }
  });

  it("is made of numbers that a message can have, and of no others", () => {
    const bad: unknown[] = [
      { ledgerId: 10n, entryId: 1 },
      { ledgerId: "1", entryId: 1 },
      { ledgerId: 1, entryId: Number.NaN },
      { ledgerId: 1.5, entryId: 1 },
      { ledgerId: -2, entryId: 1 },
      { ledgerId: 1, entryId: 1, batchIndex: 1e9, batchSize: 3 },
      { ledgerId: 1, entryId: 1, batchIndex: 0, batchSize: 1e12 },
      { ledgerId: 1, entryId: 1, topic: 5 },
      undefined,
      null,
    ];
    for (const fields of bad) {
      expect(() => MessageId.of(fields as { ledgerId: number; entryId: number })).toThrow(/^InvalidConfiguration/);
    }
  });

  it("of broken bytes is refused", () => {
    expect(() => MessageId.fromBytes(Uint8Array.of(8, 255))).toThrow(/^ProtocolViolation/);
  });
});
