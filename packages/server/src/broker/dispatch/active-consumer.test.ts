import { describe, expect, it } from "vitest";
import { chooseActive } from "./active-consumer.ts";

const candidate = (consumerName: string, priorityLevel = 0) => ({ options: { consumerName, priorityLevel } });
const active = (topic: string, candidates: ReturnType<typeof candidate>[]) =>
  chooseActive(candidates, `persistent://public/default/${topic}`)?.options.consumerName;

// what a Pulsar 4.2 broker chose
describe("the active consumer", () => {
  it.each([
    ["orders", "alpha"],
    ["payments", "b"],
    ["a", "gamma"],
    ["b", "zeta"],
    ["c", "zeta"],
    ["d", "b"],
  ])("of topic %s is %s, whoever came first", (topic, expected) => {
    const candidates = ["zeta", "gamma", "b", "alpha"].map((name) => candidate(name));
    expect(active(topic, candidates)).toBe(expected);
    expect(active(topic, candidates.reverse())).toBe(expected);
  });

  it.each([
    ["pa", "gamma"],
    ["pb", "gamma"],
    ["pc", "zeta"],
    ["parts-partition-0", "alpha"],
    ["parts-partition-1", "gamma"],
    ["parts-partition-2", "zeta"],
  ])("of topic %s is %s, of those of the best priority", (topic, expected) => {
    const candidates = [candidate("zeta", 1), candidate("gamma", 1), candidate("b", 2), candidate("alpha", 1)];
    expect(active(topic, candidates)).toBe(expected);
  });

  it("is the only one there is, or none", () => {
    expect(active("t", [candidate("a", 7)])).toBe("a");
    expect(active("t", [])).toBeUndefined();
  });
});
