import { describe, expect, it } from "vitest";
import { backoffMs, multiplierRedeliveryBackoff } from "./redelivery-backoff.ts";

describe("the redelivery backoff", () => {
  it("doubles from a second to ten minutes", () => {
    const backoff = multiplierRedeliveryBackoff();
    expect([0, 1, 2, 9, 10].map(backoff)).toEqual([1000, 2000, 4000, 512_000, 600_000]);
  });

  it("stays within its limits for every count there is", () => {
    const backoff = multiplierRedeliveryBackoff();
    for (const n of [11, 31, 32, 63, 64, 1023, 1024, 1_000_000, 2 ** 31 - 1]) expect(backoff(n)).toBe(600_000);
    expect(multiplierRedeliveryBackoff({ minDelayMs: 0 })(2 ** 31 - 1)).toBe(0);
  });

  it.each([
    [{ minDelayMs: -1 }],
    [{ minDelayMs: 10, maxDelayMs: 5 }],
    [{ multiplier: 0.5 }],
    [{ multiplier: Number.NaN }],
  ])("refuses limits that are none: %j", (options) => {
    expect(() => multiplierRedeliveryBackoff(options)).toThrow("InvalidConfiguration");
  });

  it("of an application that throws or answers no delay gives way to the delay there is", () => {
    const wrong = [() => Number.NaN, () => -1, () => "5" as never, () => Number.POSITIVE_INFINITY];
    expect(wrong.map((backoff) => backoffMs(backoff, 1, 7))).toEqual([7, 7, 7, 7]);
    const throws = (): never => {
      throw new Error("on purpose");
    };
    expect([backoffMs(throws, 1, 7), backoffMs(() => 3, 1, 7)]).toEqual([7, 3]);
  });
});
