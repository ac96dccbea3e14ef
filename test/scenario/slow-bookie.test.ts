import { expect, test } from "vitest";
import { type Appended, append, startSimulatedStorage } from "../simulation/simulated-storage.ts";

const faults = { messenger: { delayMsMin: 0.5, delayMsMax: 3 } };
const APPENDS = 1_000;

/** The p99 of appends to a ledger of three copies and two confirmations, in ms of virtual time. */
async function p99Ms(slowBookies: number): Promise<number> {
  const { simulation, owner } = await startSimulatedStorage({ seed: 14, bookies: 3, faults });
  const ledger = await simulation.finish(owner("broker").open("t"));
  for (let i = 0; i < slowBookies; i++) simulation.links.slow(`bookie-${i}`, 200);
  const appends: Appended[] = [];
  for (let i = 0; i < APPENDS; i++) {
    appends.push(append(simulation, ledger, `m${i}`));
    await simulation.run(2);
  }
  await simulation.until(() => appends.every((a) => a.position !== undefined));
  const latencies = appends.map((a) => (a.settledMs ?? Number.NaN) - a.sentMs).sort((a, b) => a - b);
  return latencies[Math.floor(0.99 * APPENDS)] as number;
}

test("one bookie of three is slow by 200 ms each way: the p99 of appends stays where it was", async () => {
  const usual = await p99Ms(0);
  const withOneSlow = await p99Ms(1);
  expect(usual).toBeGreaterThan(1);
  expect(withOneSlow).toBeLessThan(6);
  expect(withOneSlow / usual).toBeLessThan(1.5);
});

test("two slow bookies of three are one too many for two confirmations, and are felt", async () => {
  expect(await p99Ms(2)).toBeGreaterThan(400);
});
