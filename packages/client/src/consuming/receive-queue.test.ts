import { ManualClock } from "@pulsewire/runtime";
import { describe, expect, it } from "vitest";
import { ReceiveQueue } from "./receive-queue.ts";

function make(): { clock: ManualClock; queue: ReceiveQueue } {
  const clock = new ManualClock();
  const queue = new ReceiveQueue({
    clock,
    capacity: () => 1000,
    taken: (message) => message,
    demand: () => undefined,
  });
  return { clock, queue };
}

describe("a receive queue", () => {
  it("keeps nothing of receives that gave up, however many and whoever else waits", async () => {
    const { clock, queue } = make();
    const waiting = queue.receive({});
    waiting.catch(() => undefined);
    let kept = 0;
    for (let round = 0; round < 50; round++) {
      const receives = Array.from({ length: 20 }, () => queue.receive({ timeoutMs: 1 }).catch(() => undefined));
      await clock.advance(1);
      await Promise.all(receives);
      kept = Math.max(kept, queue.kept);
    }
    expect([kept < 100, queue.waiting]).toEqual([true, 1]);
  });
});
