import { expect, test } from "vitest";
import { bytesOf, connect, hear, simulate } from "./simulation-fixture.ts";

const faults = {
  network: { delayMsMin: 1, delayMsMax: 20, cutProbability: 0.02 },
  messenger: { delayMsMin: 0, delayMsMax: 5, lossProbability: 0.1, duplicateProbability: 0.1 },
  disk: { latencyMsMin: 0, latencyMsMax: 3 },
};

/** A bit of everything; answers the hash of what happened. */
async function run(seed: number, withDisk = false): Promise<{ hash: string; told: readonly string[] }> {
  const simulation = simulate(faults, seed);
  const told: string[] = [];
  simulation.messenger.attach("b", (from, message) => {
    told.push(`${simulation.elapsedMs} ${from} ${String(message)}`);
  });
  const { client, server } = await connect(simulation);
  hear(server);
  hear(client);
  for (let i = 0; i < 100; i++) {
    client.write(bytesOf(`text ${i}`));
    simulation.messenger.send("a", "b", i);
    if (withDisk) void simulation.diskOf("c").open(`file-${i}`);
    await simulation.run(1);
  }
  await simulation.run(100);
  return { hash: simulation.trace.hash, told };
}

test("the same seed gives the same run, to the last byte; another seed another", async () => {
  const first = await run(5);
  expect((await run(5)).hash).toBe(first.hash);
  expect((await run(6)).hash).not.toBe(first.hash);
});

test("the hash is over what was sent too, not only over when", async () => {
  const hashOf = async (text: string): Promise<string> => {
    const simulation = simulate();
    const { client } = await connect(simulation);
    client.write(bytesOf(text));
    await simulation.run(10);
    return simulation.trace.hash;
  };
  expect(await hashOf("abc")).toBe(await hashOf("abc"));
  expect(await hashOf("abc")).not.toBe(await hashOf("abd"));
});

test("one device more does not change what happens to the others", async () => {
  const without = await run(5);
  const within = await run(5, true);
  expect(within.told).toEqual(without.told);
});

test("the trace can be read: time, node, what", async () => {
  const simulation = simulate();
  await simulation.run(1234.5);
  simulation.trace.note("broker-0", "took over");
  expect(simulation.trace.lines.at(-1)).toMatch(/^ +1234\.500 broker-0 +took over$/);
});
