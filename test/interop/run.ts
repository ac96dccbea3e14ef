// Runs the programs of the official Python and Java clients, and our own client's, against our server, and our
// client's against a real Apache Pulsar broker.
//   npm run test:interop -- [--only python|java|client|exchange|real] [--timeout SECONDS] [CASE...]
import { parseArgs } from "node:util";
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

const { values, positionals: cases } = parseArgs({
  allowPositionals: true,
  options: { only: { type: "string" }, timeout: { type: "string", default: "90" } },
});

async function runProgram(program: Program, label: string, server: ServerAddress): Promise<Verdict> {
  await program.prepare();
  const results: CaseResult[] = [];
  const { command, args, options } = program.command(cases);
  console.log(`# ${label}`);
  const env = {
    ...options.env,
    PULSAR_URL: server.serviceUrl,
    PULSAR_ADMIN_URL: server.adminUrl,
    CASE_TIMEOUT: values.timeout,
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
  const wanted = [python, java, client, exchange].filter((p) => values.only === undefined || values.only === p.name);
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
  if (values.only !== undefined && values.only !== "real") return [];
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
console.log(`${total((v) => v.passed)} passed, ${total((v) => v.failed)} failed`);
process.exitCode = problems.length === 0 && verdicts.length > 0 ? 0 : 1;
