import { steadyPlan } from "../../simulation/plan.ts";
import { runSeed } from "../../simulation/run-seed.ts";

/** Simulates `steadyPlan` with every checker, and prints how much simulated time that was a second: MESSAGES_PER_SECOND SECONDS. */
const [messagesPerSecond, seconds] = process.argv.slice(2).map(Number) as [number, number];
const startMs = performance.now();
const startCpu = process.cpuUsage();
const { failures, simulatedMs, events, sent } = await runSeed({
  seed: 1,
  seconds,
  plan: steadyPlan(messagesPerSecond),
});
if (failures.length > 0) throw new Error(failures.join("\n"));
const elapsedMs = performance.now() - startMs;
const cpu = process.cpuUsage(startCpu);
const perSecond = simulatedMs / elapsedMs;
const cpuPerSecond = (cpu.user + cpu.system) / 1000 / elapsedMs;
console.log(JSON.stringify({ perSecond, cpuPerSecond, events, sent, simulatedMs }));
