// Runs the programs of the official Python and Java clients, and our own client's, against our server, and our
// client's against a real Apache Pulsar broker.

import { chosenArgument, exitCodeOf, readArguments, wholeArgument } from "../run-arguments.ts";
import { type CaseResult, judge, loadNotYet, parseLine, type Verdict } from "./expectations.ts";
import { run, type ServerAddress, startOurServer } from "./process.ts";
import { client, exchange, java, type Program, python, root } from "./programs.ts";
import { startRealBroker } from "./real-broker.ts";

/** What the reference broker is configured with too (real-pulsar/conf/standalone.conf), so that both are asked alike. */
const SETTINGS = [
  "delayedDeliveryTickTimeMillis=100",
  "schemaCompatibilityStrategy=FULL",
  "forceDeleteNamespaceAllowed=true",
  "forceDeleteTenantAllowed=true",
];

const USAGE = `npm run test:interop -- [options] [CASE...]

  --only WHICH       python, java, client, exchange, or real: our client against a real broker
  --timeout SECONDS  of a case (default 90)
  CASE               parts of the names of the cases to run
`;
const PARTS = ["python", "java", "client", "exchange", "real"] as const;

const { values, positionals: cases } = readArguments(USAGE, {
  allowPositionals: true,
  options: { only: { type: "string" }, timeout: { type: "string", default: "90" } },
});

const only = values.only === undefined ? undefined : chosenArgument("--only", values.only, PARTS, USAGE);
const timeoutSeconds = wholeArgument("--timeout", values.timeout, USAGE, 1);

async function runProgram(program: Program, label: string, server: ServerAddress): Promise<Verdict> {
  await program.prepare();
  const results: CaseResult[] = [];
  const { command, args, options } = program.command(cases);
  console.log(`# ${label}`);
  const env = {
    ...options.env,
    PULSAR_URL: server.serviceUrl,
    PULSAR_ADMIN_URL: server.adminUrl,
    CASE_TIMEOUT: `${timeoutSeconds}`,
  };
  const onLine = (line: string): void => {
    console.log(line);
    const result = parseLine(line);
    if (result !== undefined) results.push(result);
  };
  await run(command, args, { ...options, env, onLine, timeoutMs: 15 * 60_000 });
  return judge(label, results, loadNotYet(), cases.length === 0);
}

async function againstOurs(): Promise<Verdict[]> {
  const wanted = [python, java, client, exchange].filter((p) => only === undefined || only === p.name);
  if (wanted.length === 0) return [];
  for (const program of wanted) await program.prepare();
  const verdicts: Verdict[] = [];
  for (const program of wanted) {
    const server = await startOurServer(
      root,
      SETTINGS.flatMap((s) => ["--set", s]),
    );
    try {
      verdicts.push(await runProgram(program, program.name, server));
      if (program === client) {
        const webSocket = { ...server, serviceUrl: server.webSocketUrl };
        verdicts.push(await runProgram(program, "client-websocket", webSocket));
      }
    } finally {
      await server.stop();
    }
  }
  return verdicts;
}

async function againstReal(): Promise<Verdict[]> {
  if (only !== undefined && only !== "real") return [];
  const server = await startRealBroker();
  try {
    const verdicts = [await runProgram(client, "client-on-real-broker", server)];
    verdicts.push(await runProgram(exchange, "exchange-on-real-broker", server));
    return verdicts;
  } finally {
    await server.stop();
  }
}

const verdicts = [...(await againstOurs()), ...(await againstReal())];
const total = (pick: (v: Verdict) => number): number => verdicts.reduce((sum, v) => sum + pick(v), 0);
const problems = verdicts.flatMap((v) => v.problems);
for (const problem of problems) console.error(problem);
const expected = total((v) => v.expected);
if (expected > 0) console.log(`${expected} cases do not pass yet, as listed in test/interop/not-yet.json`);
const [passed, failed] = [total((v) => v.passed), total((v) => v.failed)];
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = problems.length > 0 ? 1 : exitCodeOf(passed + expected, failed);
