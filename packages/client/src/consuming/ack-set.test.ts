import { describe, expect, it } from "vitest";
import { AckSet, hasBit } from "./ack-set.ts";

describe("an ack set", () => {
  it("has a bit for each message that is not acknowledged, lowest first", () => {
    const set = new AckSet(1, 2, 70);
    set.acknowledge(0);
    set.acknowledge(33);
    set.acknowledge(69);
    expect(set.toBits()).toEqual([
      { low: 0xfffffffe, high: 0xfffffffd },
      { low: 0b011111, high: 0 },
    ]);
    expect([0, 1, 33, 68, 69, 70, 700].map((i) => hasBit(set.toBits(), i))).toEqual([
      false,
      true,
      false,
      true,
      false,
      false,
      false,
    ]);
  });

  it("is complete when every message is acknowledged, each counted once", () => {
    const set = new AckSet(1, 2, 3);
    set.acknowledge(0);
    set.acknowledge(0);
    set.acknowledge(2);
    expect(set.complete).toBe(false);
    set.acknowledge(1);
    expect(set.complete).toBe(true);
  });

  it("starts from what the broker knows", () => {
    const set = new AckSet(1, 2, 5, [{ low: 0b10010, high: 0 }]);
    set.acknowledge(1);
    expect(set.complete).toBe(false);
    set.acknowledge(4);
    expect(set.complete).toBe(true);
  });

  it("acknowledges up to an index", () => {
    const set = new AckSet(1, 2, 10);
    set.acknowledgeUpTo(6);
    expect(set.toBits()).toEqual([{ low: 0b1110000000, high: 0 }]);
  });
});
