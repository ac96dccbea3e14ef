import { createSeededRandom, ManualClock } from "@pulsewire/runtime";
import { describe, expect, it } from "vitest";
import { DelayQueue } from "./delay-queue.ts";

function make(): { clock: ManualClock; queue: DelayQueue<string>; due: [number, string[]][] } {
  const clock = new ManualClock();
  const due: [number, string[]][] = [];
  const queue = new DelayQueue<string>(clock, (items) => due.push([clock.monotonicMs(), items]));
  return { clock, queue, due };
}

describe("a delay queue", () => {
  it("hands out each item at its own time, those of one time together", async () => {
    const { clock, queue, due } = make();
    queue.add("late", 20_000, "late");
    queue.add("early", 10_000, "early");
    queue.add("too", 10_000, "too");
    await clock.advance(9999);
    expect(due).toEqual([]);
    await clock.advance(20_000);
    expect(due).toEqual([
      [10_000, ["early", "too"]],
      [20_000, ["late"]],
    ]);
    expect(clock.pendingTimers).toBe(0);
  });

  it("does not keep what was removed long before its time", async () => {
    const { clock, queue, due } = make();
    queue.add("last", 70_000, "last");
    queue.add("first", 50_000, "first");
    for (let i = 0; i < 10_000; i++) {
      queue.add(`a${i}`, 60_000, "a");
      queue.delete(`a${i}`);
      queue.add("again", 60_000, String(i));
    }
    expect(queue.held).toBeLessThan(100);
    await clock.advance(100_000);
    expect(due.map(([, items]) => items)).toEqual([["first"], ["9999"], ["last"]]);
  });

  it("forgets what is removed, and takes the later word for a key", async () => {
    const { clock, queue, due } = make();
    queue.add("a", 10, "a");
    queue.add("b", 10, "b");
    queue.add("a", 30, "a again");
    expect(queue.delete("b")).toBe("b");
    expect(queue.delete("b")).toBeUndefined();
    await clock.advance(100);
    expect(due).toEqual([[30, ["a again"]]]);
  });

  it("sets no timer when it is empty", () => {
    const { clock, queue } = make();
    queue.add("a", 10, "a");
    queue.delete("a");
    expect(clock.pendingTimers).toBe(0);
  });

  it("keeps the order of many", async () => {
    const { clock, queue, due } = make();
    const random = createSeededRandom(7);
    for (let i = 0; i < 500; i++) queue.add(`k${i}`, random.integer(1000), String(i));
    await clock.advance(1000);
    const times = due.map(([ms]) => ms);
    expect(times).toEqual([...times].sort((a, b) => a - b));
    expect(due.flatMap(([, items]) => items).length).toBe(500);
  });
});
