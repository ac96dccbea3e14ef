import { expect, test } from "vitest";
import type { Simulation } from "./simulation.ts";
import { simulate } from "./simulation-fixture.ts";

interface Counter {
  readonly name: string;
  count(): Promise<number>;
  fail(): Promise<void>;
  watch(listener: (count: number) => void): Disposable;
}

class LocalCounter implements Counter {
  readonly name = "counter";
  readonly #listeners = new Set<(count: number) => void>();
  counted = 0;

  async count(): Promise<number> {
    this.counted++;
    for (const listener of this.#listeners) listener(this.counted);
    return this.counted;
  }

  async fail(): Promise<void> {
    throw new Error("as asked");
  }

  watch(listener: (count: number) => void): Disposable {
    this.#listeners.add(listener);
    return { [Symbol.dispose]: () => void this.#listeners.delete(listener) };
  }
}

function remoteCounter(simulation: Simulation): { local: LocalCounter; remote: Counter } {
  const local = new LocalCounter();
  const remote = simulation.remote<Counter>(local, {
    caller: "a",
    service: "counter",
    calls: ["count", "fail"],
    watches: ["watch"],
    unavailable: (detail) => new Error(`unavailable: ${detail}`),
  });
  return { local, remote };
}

test("calls take their time there and back, and answer or fail as the service does", async () => {
  const simulation = simulate({ remote: { delayMsMin: 5, delayMsMax: 5 } });
  const { remote } = remoteCounter(simulation);
  expect(remote.name).toBe("counter");
  expect(await simulation.finish(remote.count())).toBe(1);
  expect(simulation.elapsedMs).toBe(10);
  await expect(simulation.finish(remote.fail())).rejects.toThrow("as asked");
});

test("a call that is lost fails after its time; one whose answer is lost was done all the same", async () => {
  const simulation = simulate({ remote: { requestLossProbability: 1, timeoutMs: 100 } });
  const { local, remote } = remoteCounter(simulation);
  await expect(simulation.finish(remote.count())).rejects.toThrow("unavailable");
  expect([simulation.elapsedMs, local.counted]).toEqual([100, 0]);
  simulation.remoteFaults.requestLossProbability = 0;
  simulation.remoteFaults.answerLossProbability = 1;
  await expect(simulation.finish(remote.count())).rejects.toThrow("unavailable");
  expect(local.counted).toBe(1);
});

test("over a blocked link nothing gets there", async () => {
  const simulation = simulate();
  const { local, remote } = remoteCounter(simulation);
  simulation.links.partition("a", "counter");
  await expect(simulation.finish(remote.count())).rejects.toThrow("unavailable");
  simulation.links.heal();
  expect(await simulation.finish(remote.count())).toBe(1);
  expect(local.counted).toBe(1);
});

test("a watch is told in order, later, and while its node is paused not at all", async () => {
  const simulation = simulate({ remote: { delayMsMin: 0, delayMsMax: 20 } });
  const { local, remote } = remoteCounter(simulation);
  const told: number[] = [];
  const watch = remote.watch((count) => told.push(count));
  for (let i = 0; i < 10; i++) await local.count();
  expect(told).toEqual([]);
  await simulation.run(20);
  expect(told).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
  simulation.pause("a");
  await local.count();
  await simulation.run(1_000);
  expect(told).toHaveLength(10);
  simulation.resume("a");
  await simulation.run(0);
  expect(told).toHaveLength(11);
  await local.count();
  watch[Symbol.dispose]();
  await simulation.run(1_000);
  expect(told).toHaveLength(11);
});
