import { NO_CLOCK_FAULTS, NO_DISK_FAULTS, NO_MESSENGER_FAULTS, NO_NETWORK_FAULTS, NO_REMOTE_FAULTS } from "./faults.ts";
import type { SimulationOptions } from "./simulation.ts";

/** Of each device, what there is with its default. */
const FAULTS: Readonly<Record<keyof NonNullable<SimulationOptions["faults"]>, object>> = {
  messenger: NO_MESSENGER_FAULTS,
  network: NO_NETWORK_FAULTS,
  disk: NO_DISK_FAULTS,
  clock: NO_CLOCK_FAULTS,
  remote: NO_REMOTE_FAULTS,
};

const OPTIONS = ["seed", "drain", "faults", "startMs", "trace", "eventsAtOnceMax", "codec"] as const;

/**
 * A misspelt option would silently do nothing, and the run would prove less than it seems to.
 * @throws TypeError that names the option, and tells what there is or what it takes.
 */
export function checkOptions(options: SimulationOptions): void {
  checkNames("createSimulation", options, OPTIONS);
  const { seed, drain, faults, startMs, trace, eventsAtOnceMax } = options;
  if (!Number.isSafeInteger(seed)) throw new TypeError(`seed takes a whole number, not ${shown(seed)}`);
  if (typeof drain !== "function") throw new TypeError(`drain takes a function, not ${shown(drain)}`);
  if (startMs !== undefined) checkAmount("startMs", startMs);
  if (eventsAtOnceMax !== undefined) checkAmount("eventsAtOnceMax", eventsAtOnceMax);
  if (faults !== undefined) checkFaults(faults);
  if (trace === undefined) return;
  checkNames("trace", trace, ["linesMax", "onLine"]);
  if (trace.linesMax !== undefined) checkAmount("trace.linesMax", trace.linesMax);
  if (trace.onLine === undefined || typeof trace.onLine === "function") return;
  throw new TypeError(`trace.onLine takes a function, not ${shown(trace.onLine)}`);
}

function checkFaults(faults: NonNullable<SimulationOptions["faults"]>): void {
  checkNames("faults", faults, Object.keys(FAULTS));
  for (const [device, known] of Object.entries(FAULTS)) {
    const given: unknown = faults[device as keyof typeof FAULTS];
    if (given !== undefined) checkDevice(`faults.${device}`, given, known);
  }
}

function checkDevice(device: string, given: unknown, known: object): void {
  checkNames(device, given, Object.keys(known));
  for (const [name, value] of Object.entries(given as object)) {
    if (value === undefined) throw new TypeError(`${device}.${name} takes a number, not undefined: leave it out`);
    if (name.endsWith("Probability")) checkProbability(`${device}.${name}`, value);
    else checkAmount(`${device}.${name}`, value);
  }
  const all = given as Record<string, number>;
  for (const [name, min] of Object.entries(all)) {
    const above = name.replace(/Min$/, "Max");
    // with one alone it always takes as long
    if (above === name || min <= (all[above] ?? min)) continue;
    throw new TypeError(`${device}.${name} takes at most what ${above} is, ${shown(all[above])}, not ${shown(min)}`);
  }
}

function checkNames(what: string, options: unknown, names: readonly string[]): void {
  if (typeof options !== "object" || options === null || Array.isArray(options)) {
    throw new TypeError(`${what} takes an object with ${names.join(", ")}, not ${shown(options)}`);
  }
  for (const name of Object.keys(options)) {
    if (names.includes(name)) continue;
    throw new TypeError(`${what} has no option ${JSON.stringify(name)}; there are ${names.join(", ")}`);
  }
}

function checkProbability(name: string, value: unknown): void {
  if (typeof value === "number" && value >= 0 && value <= 1) return;
  throw new TypeError(`${name} takes a probability, from 0 to 1, not ${shown(value)}`);
}

function checkAmount(name: string, value: unknown): void {
  if (typeof value === "number" && value >= 0 && value < Number.POSITIVE_INFINITY) return;
  throw new TypeError(`${name} takes a number from 0 on, not ${shown(value)}`);
}

function shown(value: unknown): string {
  return typeof value === "string" || (typeof value === "object" && value !== null)
    ? JSON.stringify(value)
    : String(value);
}
