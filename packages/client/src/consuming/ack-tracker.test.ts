import { type Command, CommandType } from "@pulsewire/protocol";
import { ManualClock } from "@pulsewire/runtime";
import { describe, expect, it } from "vitest";
import type { Connection } from "../connection/connection.ts";
import { AckTracker } from "./ack-tracker.ts";

describe("acknowledgements of parts of batches", () => {
  it("are told right also when more batches are open than are remembered", async () => {
    const sent: Command[] = [];
    const connection = { send: (command: Command) => void sent.push(command) } as unknown as Connection;
    const tracker = new AckTracker({
      clock: new ManualClock(),
      consumerId: 1,
      topic: "t",
      groupTimeMs: 0,
      groupSize: 1000,
      batchIndexAckEnabled: true,
      receiptEnabled: false,
      connection: () => connection,
    });
    const place = (entryId: number, batchIndex: number) => ({ ledgerId: 1, entryId, batchIndex, batchSize: 3 });
    // the rest of each is another consumer's
    for (let entryId = 0; entryId < 10_100; entryId++) await tracker.acknowledge(place(entryId, 0));
    sent.length = 0;
    await tracker.acknowledge(place(0, 1));
    await tracker.acknowledge(place(10_099, 1));
    // the first was forgotten meanwhile: told is that one alone, which the broker adds to what it knows
    expect(sent).toMatchObject([
      { type: CommandType.ACK, body: { messageId: [{ ledgerId: 1, entryId: 0, ackSet: [{ low: 5, high: 0 }] }] } },
      { type: CommandType.ACK, body: { messageId: [{ ledgerId: 1, entryId: 10_099, ackSet: [{ low: 4, high: 0 }] }] } },
    ]);
  });
});
