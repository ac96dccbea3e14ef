import { describe, expect, it } from "vitest";
import { multiplierRedeliveryBackoff } from "./redelivery-backoff.ts";

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
});
