// Does much, and looks whether anything is left of it: memory, handles, what the client counts; and whether the process
// ends by itself.
//   npm run test:leaks -- [--only TEXT]
import { PulsarClient } from "@pulsewire/client";
import { startOurServer } from "../interop/process.ts";
import { root } from "../interop/programs.ts";
import { readArguments, wrongUsage } from "../run-arguments.ts";
import { CASES, type LeakCase } from "./cases.ts";
import { holdings, megabytes, moreHandles } from "./measure.ts";

const USAGE = `npm run test:leaks -- [--only TEXT]

  --only TEXT  cases whose name has the text
`;
const { values } = readArguments(USAGE, { options: { only: { type: "string", default: "" } } });
const wanted = CASES.filter(({ name }) => name.includes(values.only));
if (wanted.length === 0) {
  wrongUsage(`--only ${values.only}: no name has it; there are ${CASES.map(({ name }) => name).join(", ")}`, USAGE);
}
/** How long the process may live after everything is closed, in ms. */
const LINGER_MS = 5000;

async function play(one: LeakCase, serviceUrl: string): Promise<string[]> {
  const before = await holdings();
  const client = new PulsarClient({ serviceUrl });
  const started = Date.now();
  await one.half(client, serviceUrl, 0);
  const middle = await holdings();
  await one.half(client, serviceUrl, 1);
  const end = await holdings();
  await client.close();
  const after = await holdings();
  const growth = end.bytes - middle.bytes;
  const wrong: string[] = [];
  if (growth > one.growthBytesMax) wrong.push(`the second half left ${megabytes(growth)} behind`);
  const more = moreHandles(before, after);
  if (more !== "") wrong.push(`after closing there are ${more} more`);
  const grew = `${megabytes(middle.bytes)} at half, ${megabytes(end.bytes)} at the end, ${megabytes(after.bytes)} closed`;
  console.log(`${wrong.length === 0 ? "ok" : "FAIL"} ${one.name}: ${grew} (${Date.now() - started} ms)`);
  for (const line of wrong) console.log(`  ${line}`);
  return wrong;
}

const unhandled: string[] = [];
process.on("unhandledRejection", (reason) => {
  console.error(reason);
  unhandled.push(String(reason));
});
const server = await startOurServer(root).catch((error: unknown) => {
  console.error(error);
  process.exit(1);
});
let [passed, failed] = [0, 0];
for (const one of wanted) {
  const wrong = await play(one, server.serviceUrl).catch((error: unknown) => {
    console.log(`FAIL ${one.name}: ${String(error)}`);
    return [String(error)];
  });
  if (wrong.length === 0) passed++;
  else failed++;
}
await server.stop();
for (const reason of unhandled) console.log(`FAIL unhandled rejection: ${reason}`);
failed += unhandled.length;
const linger = setTimeout(() => {
  console.log(`FAIL the process goes on: ${process.getActiveResourcesInfo().join(", ")}`);
  console.log(`${passed} passed, ${failed + 1} failed`);
  process.exit(1);
}, LINGER_MS);
// it must not be this timer that keeps it alive
linger.unref();
process.on("exit", () => {
  if (process.exitCode === undefined) process.exitCode = failed === 0 && passed > 0 ? 0 : 1;
  if (process.exitCode !== 1) console.log("ok the process ends by itself");
  console.log(`${passed + 1} passed, ${failed} failed`);
});
