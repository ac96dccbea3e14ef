import { createSeededRandom } from "@pulsewire/runtime";
import { describe, expect, it } from "vitest";
import { createRouter, keyPartition } from "./message-router.ts";
import { type ProducerOptions, resolveProducerOptions } from "./producer-options.ts";

function router(options: Partial<ProducerOptions>, hasOpenBatch: (partition: number) => boolean = () => false) {
  const resolved = resolveProducerOptions({ topic: "t", ...options }, new Set(["NONE"]));
  return createRouter(resolved, createSeededRandom(1), hasOpenBatch);
}

describe("routing", () => {
  it("puts a key where Java's String.hashCode does", () => {
    // "hello".hashCode() is 99162322, "polygenelubricants".hashCode() is Integer.MIN_VALUE
    expect(keyPartition("hello", 10, "JavaStringHash")).toBe(2);
    expect(keyPartition("hello", 1000, "JavaStringHash")).toBe(322);
    expect(keyPartition("polygenelubricants", 10, "JavaStringHash")).toBe(0);
  });

  it("puts a key where MurmurHash3 does", () => {
    // MurmurHash3 x86_32 with seed 0 of "hello" is 0x248bfa47
    expect(keyPartition("hello", 1000, "Murmur3_32Hash")).toBe(0x248bfa47 % 1000);
  });

  it("hashes a key of bytes as its base64 text", () => {
    expect(keyPartition(new TextEncoder().encode("hello"), 97, "JavaStringHash")).toBe(
      keyPartition("aGVsbG8=", 97, "JavaStringHash"),
    );
  });

  it("goes round without batches, and lets a key decide", () => {
    const route = router({});
    const first = route({}, 3);
    expect([route({}, 3), route({}, 3), route({}, 3)]).toEqual([1, 2, 3].map((n) => (first + n) % 3));
    expect(route({ key: "hello" }, 10)).toBe(2);
  });

  it("stays with a partition while its batch is open", () => {
    let open = true;
    const route = router({}, () => open);
    const first = route({}, 4);
    expect([route({}, 4), route({}, 4)]).toEqual([first, first]);
    open = false;
    expect(route({}, 4)).toBe((first + 1) % 4);
  });

  it("keeps to a single partition, also when there are more later", () => {
    const route = router({ messageRoutingMode: "SinglePartition" });
    const chosen = route({}, 4);
    expect([route({}, 4), route({}, 8)]).toEqual([chosen, chosen]);
    expect(route({ key: "hello" }, 10)).toBe(2);
  });

  it("asks the application's router, and does not take nonsense from it", () => {
    expect(router({ messageRouter: (m, n) => Number(m.key) % n })({ key: "7" }, 4)).toBe(3);
    expect(() => router({ messageRouter: () => 4 })({}, 4)).toThrow(/^InvalidConfiguration: messageRouter/);
  });
});
