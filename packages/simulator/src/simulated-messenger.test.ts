import { expect, test } from "vitest";
import type { Simulation } from "./simulation.ts";
import { simulate } from "./simulation-fixture.ts";

const COUNT = 400;

function receiveAt(simulation: Simulation, node = "b"): number[] {
  const received: number[] = [];
  simulation.messenger.attach(node, (_, message) => received.push(message as number));
  return received;
}

function sendMany(simulation: Simulation, to = "b"): void {
  for (let i = 0; i < COUNT; i++) simulation.messenger.send("a", to, i);
}

const inOrder = (values: readonly number[]): boolean =>
  values.every((v, i) => i === 0 || v > (values[i - 1] as number));

test("without faults every message comes once, in order, at once", async () => {
  const simulation = simulate();
  const received = receiveAt(simulation);
  sendMany(simulation);
  await simulation.run(0);
  expect(received).toEqual(Array.from({ length: COUNT }, (_, i) => i));
});

test("messages are delayed within bounds and stay in order", async () => {
  const simulation = simulate({ messenger: { delayMsMin: 5, delayMsMax: 10 } });
  const received = receiveAt(simulation);
  sendMany(simulation);
  await simulation.run(4.9);
  expect(received).toHaveLength(0);
  await simulation.run(5.2);
  expect(received).toHaveLength(COUNT);
  expect(inOrder(received)).toBe(true);
});

test("some are lost, some come twice, about as often as asked for", async () => {
  const simulation = simulate({ messenger: { lossProbability: 0.25, duplicateProbability: 0.5 } });
  const received = receiveAt(simulation);
  sendMany(simulation);
  await simulation.run(0);
  const different = new Set(received).size;
  expect(different / COUNT).toBeGreaterThan(0.65);
  expect(different / COUNT).toBeLessThan(0.85);
  expect(received.length / different).toBeGreaterThan(1.35);
  expect(received.length / different).toBeLessThan(1.65);
});

test("with reordering some are overtaken and none is lost", async () => {
  const simulation = simulate({ messenger: { reorderProbability: 0.2, reorderDelayMsMax: 20 } });
  const received = receiveAt(simulation);
  sendMany(simulation);
  await simulation.run(25);
  expect(new Set(received).size).toBe(COUNT);
  expect(inOrder(received)).toBe(false);
});

test("a partition takes what is sent while it lasts, in one direction or in both", async () => {
  const simulation = simulate();
  const atA = receiveAt(simulation, "a");
  const atB = receiveAt(simulation, "b");
  simulation.links.block("a", "b");
  simulation.messenger.send("a", "b", 1);
  simulation.messenger.send("b", "a", 2);
  await simulation.run(10);
  expect([atA, atB]).toEqual([[2], []]);
  simulation.links.partition("a", ["b", "c"]);
  simulation.messenger.send("b", "a", 3);
  await simulation.run(10);
  simulation.links.heal();
  simulation.messenger.send("a", "b", 4);
  simulation.messenger.send("b", "a", 5);
  await simulation.run(10);
  expect([atA, atB]).toEqual([[2, 5], [4]]);
});

test("a slow node is slow both ways", async () => {
  const simulation = simulate();
  const received = receiveAt(simulation);
  simulation.links.slow("b", 100);
  simulation.messenger.send("a", "b", 1);
  await simulation.run(99);
  expect(received).toEqual([]);
  await simulation.run(2);
  expect(received).toEqual([1]);
});

test("a paused node gets its messages when it goes on, in order", async () => {
  const simulation = simulate();
  const received = receiveAt(simulation);
  simulation.pause("b");
  simulation.messenger.send("a", "b", 1);
  simulation.messenger.send("a", "b", 2);
  await simulation.run(10);
  expect(received).toEqual([]);
  simulation.resume("b");
  await simulation.run(0);
  expect(received).toEqual([1, 2]);
});

test("a node that crashed gets nothing, and the next process of its name can attach", async () => {
  const simulation = simulate();
  const before = receiveAt(simulation);
  expect(() => receiveAt(simulation)).toThrow("attached already");
  simulation.messenger.send("a", "b", 1);
  simulation.crash("b");
  await simulation.run(10);
  simulation.restart("b");
  const after = receiveAt(simulation);
  simulation.messenger.send("a", "b", 2);
  await simulation.run(10);
  expect([before, after]).toEqual([[], [2]]);
});

test("each link has a chance of its own: one link more does not change what happens on another", async () => {
  const run = async (withOther: boolean): Promise<number[]> => {
    const simulation = simulate({ messenger: { lossProbability: 0.3, delayMsMax: 5 } });
    const received = receiveAt(simulation);
    receiveAt(simulation, "c");
    for (let i = 0; i < COUNT; i++) {
      simulation.messenger.send("a", "b", i);
      if (withOther) simulation.messenger.send("a", "c", i);
    }
    await simulation.run(10);
    return received;
  };
  expect(await run(true)).toEqual(await run(false));
});
