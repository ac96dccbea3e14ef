import { expect, test } from "vitest";
import { createSimulation, type SimulationOptions } from "./simulation.ts";

const drain = async (): Promise<void> => undefined;

test.each<[object, RegExp]>([
  [{ sede: 1 }, /^createSimulation has no option "sede"; there are seed, drain, faults, /],
  [{ seed: 1.5 }, /^seed takes a whole number, not 1\.5$/],
  [{ drain: undefined }, /^drain takes a function, not undefined$/],
  [{ startMs: "now" }, /^startMs takes a number from 0 on, not "now"$/],
  [{ eventsAtOnceMax: Number.NaN }, /^eventsAtOnceMax takes a number from 0 on, not NaN$/],
  [{ trace: { lines: 3 } }, /^trace has no option "lines"; there are linesMax, onLine$/],
  [{ trace: { onLine: 3 } }, /^trace\.onLine takes a function, not 3$/],
  [{ faults: null }, /^faults takes an object with messenger, network, disk, clock, remote, not null$/],
  [{ faults: { netwrok: {} } }, /^faults has no option "netwrok"; there are messenger, network, /],
  [{ faults: { network: 3 } }, /^faults\.network takes an object with delayMsMin, delayMsMax, .*, not 3$/],
  [{ faults: { network: { delayMax: 3 } } }, /^faults\.network has no option "delayMax"; there are delayMsMin, /],
  [{ faults: { network: { delayMsMin: -1 } } }, /^faults\.network\.delayMsMin takes a number from 0 on, not -1$/],
  [{ faults: { disk: { syncMsMin: 2, syncMsMax: 1 } } }, /^faults\.disk\.syncMsMin takes at most what syncMsMax is, 1/],
  [
    { faults: { messenger: { lossProbability: 2 } } },
    /^faults\.messenger\.lossProbability takes a probability, .*, not 2$/,
  ],
  [{ faults: { messenger: { lossProbability: "1" } } }, /lossProbability takes a probability, .*, not "1"$/],
  [{ faults: { clock: { skewMsMax: undefined } } }, /^faults\.clock\.skewMsMax takes a number, not undefined/],
  [
    { faults: { remote: { timeoutMs: Number.POSITIVE_INFINITY } } },
    /^faults\.remote\.timeoutMs takes .*, not Infinity$/,
  ],
])("a simulation of %o is refused by a TypeError that says what there is", (given, told) => {
  const options = { seed: 1, drain, ...given } as SimulationOptions;
  expect(() => createSimulation(options)).toThrow(TypeError);
  expect(() => createSimulation(options)).toThrow(told);
});

test("a fault that is misspelt later throws as well", () => {
  const simulation = createSimulation({ seed: 1, drain });
  const devices = [
    simulation.messenger.faults,
    simulation.network.faults,
    simulation.diskOf("a").faults,
    simulation.remoteFaults,
  ];
  for (const faults of devices) expect(() => Object.assign(faults, { losProbability: 1 })).toThrow(TypeError);
});
