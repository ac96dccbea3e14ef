// Breaks the product in known ways, one at a time and each in a process of its own, and looks whether the simulation notices.
import { execFile } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { exitCodeOf, readArguments, wholeArgument, wrongUsage } from "../../run-arguments.ts";
import { buildSimulation } from "./build.ts";
import type { Mutation } from "./mutation.ts";
import { MUTATIONS } from "./mutations.ts";

const PAGE = join(import.meta.dirname, "..", "..", "..", "docs", "guides", "simulation.md");
const [BEGIN, END] = ["<!-- mutations: written by npm run sim:mutations -- --write -->", "<!-- mutations: end -->"];
/** How long things go wrong in each seed, in virtual seconds. */
const SECONDS = 10;
/** How long a process may take, in ms: a mutation may well run in circles. */
const PROCESS_MS_MAX = 400_000;

const USAGE = `npm run sim:mutations -- [options]

  --only TEXT   those whose name has the text
  --jobs N      processes at a time (default 2)
  --write       write the table of the guide
`;

const { values } = readArguments(USAGE, {
  options: {
    only: { type: "string", default: "" },
    jobs: { type: "string", default: "2" },
    write: { type: "boolean", default: false },
  },
});

interface Ran {
  code: number;
  output: string;
}

function run(program: string, of: Mutation["of"], seeds: number): Promise<Ran> {
  const given = [
    "--of",
    of,
    "--seed",
    "1",
    "--seeds",
    String(seeds),
    "--seconds",
    String(SECONDS),
    "--stop",
    "--quiet",
  ];
  return new Promise((resolve) => {
    execFile(process.execPath, [program, ...given], { timeout: PROCESS_MS_MAX }, (error, stdout, stderr) => {
      const code = error === null ? 0 : typeof error.code === "number" ? error.code : -1;
      resolve({ code, output: stdout + stderr });
    });
  });
}

interface Verdict {
  mutation: Mutation;
  caught: boolean;
  /** The seed and the checkers that noticed, or what went wrong. */
  seed: string;
  by: string;
}

async function judge(mutation: Mutation): Promise<Verdict> {
  const program = await buildSimulation(mutation.name, mutation.edits);
  const { code, output } = await run(program, mutation.of, mutation.seedsMax);
  const seed = /FAIL \w+ (\d+)/.exec(output)?.[1] ?? "";
  const lines = output.split("\n").filter((line) => line.startsWith("  ") && !line.startsWith("  replay"));
  const names = lines.map((line) => /^ {2}(\w+): /.exec(line)?.[1]).filter((name) => name !== undefined);
  const by = names.length > 0 ? [...new Set(names)].join(", ") : (lines[0]?.trim() ?? "");
  const verdict = { mutation, caught: code === 1 && seed !== "", seed, by };
  console.log(`${verdict.caught ? "caught" : "MISSED"} ${mutation.name}: seed ${seed || "none"} ${by.slice(0, 160)}`);
  if (!verdict.caught && code !== 0) console.log(output.slice(-1_500));
  return verdict;
}

/** The same seeds on the product as it is: what fails there would prove nothing. */
async function judgeUnbroken(mutations: readonly Mutation[]): Promise<boolean> {
  const program = await buildSimulation("unbroken", []);
  let good = true;
  for (const of of ["storage", "cluster"] as const) {
    const seeds = Math.max(0, ...mutations.filter((m) => m.of === of).map((m) => m.seedsMax));
    if (seeds === 0) continue;
    const { code, output } = await run(program, of, seeds);
    console.log(`${code === 0 ? "ok" : "FAILED"}: ${seeds} seeds of ${of}, nothing broken`);
    if (code !== 0) console.log(output);
    good &&= code === 0;
  }
  return good;
}

function table(verdicts: readonly Verdict[]): string {
  const rows = verdicts.map(
    ({ mutation, seed, by }) =>
      `| ${mutation.name} | ${mutation.breaks} | ${seed} of ${mutation.seedsMax} | ${by.replaceAll("|", "/")} |`,
  );
  return ["| broken | so that | noticed by seed | checkers |", "|---|---|---|---|", ...rows].join("\n");
}

function writePage(verdicts: readonly Verdict[]): void {
  const page = readFileSync(PAGE, "utf8");
  const [before, rest] = page.split(BEGIN);
  const after = rest?.split(END)[1];
  if (before === undefined || after === undefined) throw new Error(`${PAGE} has no place for the table`);
  writeFileSync(PAGE, `${before}${BEGIN}\n\n${table(verdicts)}\n\n${END}${after}`);
}

async function main(): Promise<void> {
  const wanted = MUTATIONS.filter(({ name }) => name.includes(values.only));
  if (wanted.length === 0) {
    wrongUsage(
      `--only ${values.only}: no name has it; there are ${MUTATIONS.map(({ name }) => name).join(", ")}`,
      USAGE,
    );
  }
  const jobs = wholeArgument("--jobs", values.jobs, USAGE, 1);
  const verdicts = new Map<Mutation, Verdict>();
  const left = [...wanted];
  const worker = async (): Promise<void> => {
    for (let next = left.shift(); next !== undefined; next = left.shift()) verdicts.set(next, await judge(next));
  };
  await Promise.all(Array.from({ length: jobs }, worker));
  const good = await judgeUnbroken(wanted);
  const inOrder = wanted.map((mutation) => verdicts.get(mutation) as Verdict);
  const caught = inOrder.filter((verdict) => verdict.caught).length;
  console.log(`${caught} of ${wanted.length} noticed`);
  if (values.write && good && caught === wanted.length) writePage(inOrder);
  process.exitCode = good ? exitCodeOf(caught, wanted.length - caught) : 1;
}

await main();
