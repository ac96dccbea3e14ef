import { TopicName } from "@pulsewire/protocol";
import { describe, expect, it } from "vitest";
import { bundleBoundaries } from "../resources/policies.ts";
import { bundleOf, bundlesOf } from "./bundle.ts";
import { bundleHash } from "./bundle-hash.ts";

const range = (topic: string, bundles = 4): string => bundleOf(TopicName.parse(topic), bundleBoundaries(bundles)).range;

describe("bundles", () => {
  it("hash names with CRC-32", () => {
    expect(bundleHash("123456789")).toBe(0xcbf43926);
    expect(bundleHash("")).toBe(0);
  });

  it.each([
    // as a real broker names them
    ["persistent://public/dd/parts-partition-1", "0x00000000_0x40000000"],
    ["persistent://pulsar/system/transaction_coordinator_assign-partition-0", "0xc0000000_0xffffffff"],
  ])("put %s where Pulsar puts it", (topic, expected) => {
    expect(range(topic)).toBe(expected);
  });

  it("divide a namespace without a gap", () => {
    expect(bundlesOf("public/default", bundleBoundaries(4)).map((b) => b.range)).toEqual([
      "0x00000000_0x40000000",
      "0x40000000_0x80000000",
      "0x80000000_0xc0000000",
      "0xc0000000_0xffffffff",
    ]);
    expect(range("t", 1)).toBe("0x00000000_0xffffffff");
  });

  it("are found for every topic, by its hash", () => {
    for (let i = 0; i < 500; i++) {
      const topic = TopicName.parse(`t${i}`);
      const [lower, upper] = bundleOf(topic, bundleBoundaries(7)).range.split("_").map(Number) as [number, number];
      const hash = bundleHash(topic.toString());
      expect(hash).toBeGreaterThanOrEqual(lower);
      expect(hash).toBeLessThanOrEqual(upper);
    }
  });
});
