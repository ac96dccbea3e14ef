import { drainMicrotasks } from "@pulsewire/runtime/node";
import { expect, test } from "vitest";
import { createSimulation } from "./simulation.ts";
import { simulate } from "./simulation-fixture.ts";

test("timers go off by time, then in the order they were set, and time is theirs", async () => {
  const simulation = simulate();
  const { clock } = simulation.runtimeFor("a");
  const seen: string[] = [];
  clock.setTimer(20, () => seen.push(`late ${clock.monotonicMs()}`));
  clock.setTimer(10, () => seen.push(`first ${clock.monotonicMs()}`));
  clock.setTimer(10, () => seen.push(`second ${clock.monotonicMs()}`));
  clock.setTimer(10, () => seen.push("cancelled")).cancel();
  await simulation.run(100);
  expect(seen).toEqual(["first 10", "second 10", "late 20"]);
  expect(simulation.elapsedMs).toBe(100);
});

test("time moves only when every promise has had its turn", async () => {
  const simulation = simulate();
  const { clock } = simulation.runtimeFor("a");
  const seen: number[] = [];
  clock.setTimer(1, () => {
    void (async () => {
      for (let i = 0; i < 500; i++) await undefined;
      seen.push(clock.monotonicMs());
    })();
  });
  clock.setTimer(2, () => seen.push(clock.monotonicMs()));
  await simulation.run(10);
  expect(seen).toEqual([1, 2]);
});

test("a ticker ticks until it is cancelled", async () => {
  const simulation = simulate();
  const { clock } = simulation.runtimeFor("a");
  let ticks = 0;
  const ticker = clock.setTicker(10, () => {
    ticks++;
    if (ticks === 3) ticker.cancel();
  });
  await simulation.run(1000);
  expect(ticks).toBe(3);
});

test("a paused node's timers wait, those of others do not", async () => {
  const simulation = simulate();
  const seen: string[] = [];
  const a = simulation.runtimeFor("a").clock;
  a.setTimer(10, () => seen.push(`a ${a.monotonicMs()}`));
  a.setTimer(20, () => seen.push(`a again ${a.monotonicMs()}`));
  const withdrawn = a.setTimer(30, () => seen.push("withdrawn"));
  simulation.runtimeFor("b").clock.setTimer(15, () => seen.push("b"));
  simulation.pause("a");
  await simulation.run(50);
  expect(seen).toEqual(["b"]);
  withdrawn.cancel();
  simulation.resume("a");
  await simulation.run(50);
  expect(seen).toEqual(["b", "a 50", "a again 50"]);
});

test("what a node that crashed had set never goes off, and what its remains set neither", async () => {
  const simulation = simulate();
  const seen: string[] = [];
  const before = simulation.runtimeFor("a").clock;
  before.setTimer(10, () => seen.push("before"));
  simulation.crash("a");
  before.setTimer(10, () => seen.push("remains"));
  simulation.restart("a");
  const after = simulation.runtimeFor("a").clock;
  after.setTimer(10, () => seen.push("after"));
  await simulation.run(100);
  expect(seen).toEqual(["after"]);
});

test("wall clocks may differ, by at most what the faults say", async () => {
  const simulation = simulate({ clock: { skewMsMax: 500 } });
  const skews = ["a", "b", "c"].map((name) => simulation.runtimeFor(name).clock.now() - simulation.clock.now());
  for (const skew of skews) expect(Math.abs(skew)).toBeLessThanOrEqual(500);
  expect(new Set(skews).size).toBe(3);
});

test("what does not come in time is told with the seed, and so is what can never come", async () => {
  const simulation = simulate({}, 77);
  await expect(simulation.until(() => false, 100)).rejects.toMatchObject({
    code: "Stuck",
    message: expect.stringContaining("seed 77"),
  });
  simulation.clock.setTicker(10, () => undefined);
  await expect(simulation.until(() => false, 100)).rejects.toMatchObject({ code: "TimeLimit" });
});

test("what goes on for ever without time passing is told", async () => {
  const simulation = createSimulation({ seed: 1, drain: drainMicrotasks, eventsAtOnceMax: 1_000 });
  const again = (): void => void simulation.clock.setTimer(0, again);
  again();
  await expect(simulation.run(1)).rejects.toMatchObject({ code: "Livelock" });
});

test("what is left of a timeout can be computed exactly", async () => {
  const simulation = simulate();
  const { clock } = simulation;
  let left = Number.NaN;
  clock.setTimer(0.1, () => {
    const sentMs = clock.monotonicMs();
    clock.setTimer(5000, () => {
      left = sentMs + 5000 - clock.monotonicMs();
    });
  });
  await simulation.run(6000);
  expect(left).toBe(0);
});

test("a second run while one is going is refused", async () => {
  const simulation = simulate();
  const first = simulation.run(100);
  await expect(simulation.run(100)).rejects.toMatchObject({ code: "WrongState" });
  await first;
});
