import {
  type Clock,
  createMemoryMessenger,
  createMemoryNetwork,
  createSeededRandom,
  ManualClock,
} from "@pulsewire/runtime";
import { createNodeRuntime } from "@pulsewire/runtime/node";
import { expect, test } from "vitest";
import { FaultLinks } from "./fault-links.ts";
import { gatedRuntime } from "./gated-runtime.ts";
import { NodeGate } from "./node-gate.ts";

/** A clock that knows how many timers of it were neither cancelled nor went off. */
function countingClock(): { clock: Clock; manual: ManualClock; waiting: () => number } {
  const manual = new ManualClock();
  const waiting = new Set<object>();
  const kept = <T extends { cancel(): void }>(timer: T): T => {
    waiting.add(timer);
    const cancel = (): void => {
      waiting.delete(timer);
      timer.cancel();
    };
    return { ...timer, cancel };
  };
  const clock: Clock = {
    now: () => manual.now(),
    monotonicMs: () => manual.monotonicMs(),
    setTimer: (delayMs, callback) => {
      const due = (): void => {
        waiting.delete(timer);
        callback();
      };
      const timer = manual.setTimer(delayMs, due);
      return kept(timer);
    },
    setTicker: (periodMs, callback) => kept(manual.setTicker(periodMs, callback)),
    soon: (callback) => manual.soon(callback),
  };
  return { clock, manual, waiting: () => waiting.size };
}

test("a process that is killed leaves no timer behind, which would keep all of it in memory", async () => {
  const { clock, manual, waiting } = countingClock();
  const gate = new NodeGate("broker-0");
  const ports = { ...createNodeRuntime(), clock, network: createMemoryNetwork(), messenger: createMemoryMessenger() };
  const runtime = gatedRuntime({ ...ports, random: createSeededRandom(1) }, gate, new FaultLinks());
  const seen: string[] = [];
  runtime.clock.setTimer(10, () => seen.push("timer"));
  runtime.clock.setTimer(14_400_000, () => seen.push("never"));
  runtime.clock.setTimer(20, () => seen.push("cancelled")).cancel();
  runtime.clock.setTicker(15, () => seen.push("ticker"));
  await manual.advance(20);
  expect(seen).toEqual(["timer", "ticker"]);
  expect(waiting()).toBe(2);
  gate.kill();
  expect(waiting()).toBe(0);
  runtime.clock.setTimer(10, () => seen.push("after its end"));
  runtime.clock.setTicker(10, () => seen.push("after its end"));
  expect(waiting()).toBe(0);
  await manual.advance(20_000_000);
  expect(seen).toEqual(["timer", "ticker"]);
});
