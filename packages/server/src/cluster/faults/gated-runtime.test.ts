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

function portsOf(node: string, links: FaultLinks, messenger = createMemoryMessenger()) {
  const clock = new ManualClock();
  const ports = { ...createNodeRuntime(), clock, network: createMemoryNetwork(), messenger };
  const gate = new NodeGate(node);
  return { clock, gate, runtime: gatedRuntime({ ...ports, random: createSeededRandom(1) }, gate, links) };
}

test("a node that is paused twice goes on when both pauses are over", async () => {
  const { clock, gate, runtime } = portsOf("broker-0", new FaultLinks());
  const seen: string[] = [];
  runtime.clock.setTimer(10, () => seen.push("timer"));
  gate.pause();
  gate.pause();
  await clock.advance(10);
  gate.resume();
  expect(seen).toEqual([]);
  gate.resume();
  expect(seen).toEqual(["timer"]);
});

test("a link that is cut or slow is so for every part of a node", async () => {
  const links = new FaultLinks();
  const messenger = createMemoryMessenger();
  const sender = portsOf("bookie-0", links, messenger);
  const receiver = portsOf("bookie-1", links, messenger);
  const seen: unknown[] = [];
  receiver.runtime.messenger.attach("bookie-1", (_from, message) => seen.push(message));
  const send = async (message: string): Promise<void> => {
    sender.runtime.messenger.send("bookie-0/auto-recovery", "bookie-1", message);
    await sender.clock.settle();
  };
  const cut = links.partition("bookie-0", "bookie-1");
  await send("lost");
  cut[Symbol.dispose]();
  const slow = links.slow("bookie-0", 100);
  await send("late");
  expect(seen).toEqual([]);
  await sender.clock.advance(100);
  expect(seen).toEqual(["late"]);
  slow[Symbol.dispose]();
  await send("at once");
  expect(seen).toEqual(["late", "at once"]);
});
