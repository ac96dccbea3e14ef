import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Cluster } from "@pulsewire/server";
import { check, fetchPackages, project, runBeside } from "./kit.ts";

const USE = `
  const consumer = await client.subscribe({ topic, subscription: "s" });
  const producer = await client.createProducer({ topic, compressionType: "ZLIB" });
  await producer.send("packed");
  const message = await consumer.receive({ timeoutMs: 10000 });
  if (message.text() !== "packed") throw new Error(message.text());
  await consumer.acknowledge(message);
  await client.close();`;

const PROGRAM = `import { PulsarClient, PulsarError } from "@pulsewire/client";
import { PulsarAdmin, AdminError } from "@pulsewire/client/admin";
import { messages$ } from "@pulsewire/client/rxjs";
import Pulsar from "@pulsewire/client/compat";
const [serviceUrl, adminUrl, topic] = process.argv.slice(2);
const client = new PulsarClient({ serviceUrl });${USE}
const admin = new PulsarAdmin({ serviceUrl: adminUrl });
if ((await admin.topics.stats(topic)).msgInCounter !== 1) throw new Error("statistics");
const refused = await admin.tenants.get("nobody").catch((e) => e);
// one class, whichever way it was imported
if (!(refused instanceof AdminError && refused instanceof PulsarError)) throw new Error("classes are doubled");
try { messages$({}); throw new Error("taken"); } catch (e) { if (!(e instanceof PulsarError)) throw e; }
const compat = new Pulsar.Client({ serviceUrl });
const reader = await compat.createReader({ topic, startMessageId: Pulsar.MessageId.earliest() });
if (!reader.hasNext()) throw new Error("hasNext");
const read = (await reader.readNext()).getData().toString();
if (read !== "packed") throw new Error(read);
await compat.close();
`;

const COMMON_JS = PROGRAM.replaceAll(/^import (\w+) from (".*");$/gm, "const $1 = require($2);")
  .replaceAll(/^import (\{.*\}) from (".*");$/gm, "const $1 = require($2);")
  .replace("const [serviceUrl", "(async () => {\nconst [serviceUrl")
  .concat("})().catch((e) => { console.error(e); process.exit(1); });\n");

const SERVER = `import { startCluster } from "@pulsewire/server";
import { PulsarClient } from "@pulsewire/client";
import { simulate, startTestCluster } from "@pulsewire/server/testing";
const topic = "t";
const cluster = await startCluster();
const client = new PulsarClient({ serviceUrl: cluster.serviceUrl });${USE}
await cluster.close();
const t = await startTestCluster({ clock: "virtual", network: "memory" });
await (await t.client.createProducer({ topic })).send("x");
await t.time.advance(3600000);
await t.close();
const { result } = await simulate(1, async ({ client }) => String(await (await client().createProducer({ topic })).send("x")));
if (!result.startsWith("0:0") && !/^\\d+:0/.test(result)) throw new Error(result);
`;

export async function checkRuntimes(cluster: Cluster): Promise<void> {
  const args = (topic: string): string[] => [cluster.serviceUrl, cluster.adminUrl, topic];
  writeFileSync(join(project, "program.mjs"), PROGRAM);
  writeFileSync(join(project, "program.cjs"), COMMON_JS);
  writeFileSync(join(project, "server.mjs"), SERVER);

  await check("Node: ESM, every subpath, one class each", () =>
    runBeside(process.execPath, ["program.mjs", ...args("esm")], project).then(() => undefined),
  );
  await check("Node: CommonJS, every subpath, one class each", () =>
    runBeside(process.execPath, ["program.cjs", ...args("cjs")], project).then(() => undefined),
  );
  await check("Node: the server and its testing kit from the package", () =>
    runBeside(process.execPath, ["server.mjs"], project).then(() => undefined),
  );
  await check("the command line", async () => {
    const help = await runBeside(process.execPath, ["node_modules/.bin/pulsewire", "--help"], project);
    if (!help.includes("--http-port")) throw new Error(help);
  });
  await check("Bun", async () => {
    fetchPackages(["bun@1"], "with scripts");
    return runBeside(binary("bun"), ["program.mjs", ...args("bun")], project).then(() => undefined);
  });
  await check("Deno", async () => {
    fetchPackages(["deno@2"], "with scripts");
    const flags = ["run", "--allow-all", "--no-prompt", "--node-modules-dir=manual"];
    return runBeside(binary("deno"), [...flags, "program.mjs", ...args("deno")], project).then(() => undefined);
  });
}

function binary(name: string): string {
  const path = join(project, "node_modules", ".bin", name);
  if (!existsSync(path)) throw new Error(`${name} could not be fetched`);
  return path;
}
