import { type ParseArgsConfig, parseArgs } from "node:util";

/** Says what is wrong with the arguments of a program and what is right, and ends it with 2. */
export function wrongUsage(message: string, usage: string): never {
  console.error(`${message}\n\n${usage.trim()}`);
  process.exit(2);
}

/** Arguments as `parseArgs` reads them; what it does not know ends the program. `--help` prints the usage. */
export function readArguments<T extends ParseArgsConfig>(usage: string, config: T): ReturnType<typeof parseArgs<T>> {
  const { args = process.argv.slice(2) } = config;
  if (args.includes("--help")) {
    console.log(usage.trim());
    process.exit(0);
  }
  try {
    return parseArgs<T>(config);
  } catch (error) {
    wrongUsage((error as Error).message, usage);
  }
}

/** A whole number from `min` on. */
export function wholeArgument(name: string, text: string, usage: string, min = 0): number {
  const value = Number(text);
  if (/^\d+$/.test(text) && Number.isSafeInteger(value) && value >= min) return value;
  wrongUsage(`${name} takes a whole number from ${min} on, not ${JSON.stringify(text)}`, usage);
}

/** One of the words there are. */
export function chosenArgument<T extends string>(name: string, text: string, of: readonly T[], usage: string): T {
  const found = of.find((word) => word === text);
  return found ?? wrongUsage(`${name} takes one of ${of.join(", ")}, not ${JSON.stringify(text)}`, usage);
}

/** How the program ends: what did nothing proves nothing. */
export function exitCodeOf(passed: number, failed: number): number {
  if (passed + failed === 0) console.error("nothing was run");
  return failed === 0 && passed > 0 ? 0 : 1;
}
