// Packs both packages, installs them into an empty project with scripts disabled, and uses them from there: ESM and
// CommonJS, types, the command line, and the size of a browser bundle.
//   npm run test:packaging
import { execFileSync, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { gzipSync } from "node:zlib";
import { startCluster } from "@pulsewire/server";
import { build } from "esbuild";

const root = join(import.meta.dirname, "..", "..");
const project = mkdtempSync(join(tmpdir(), "pulsewire-pack-"));
const BUNDLE_BYTES_MAX = 100 * 1024;
let passed = 0;
let failed = 0;

async function check(name: string, work: () => Promise<unknown> | unknown): Promise<void> {
  try {
    const detail = await work();
    passed++;
    console.log(`ok ${name}${detail === undefined ? "" : ` (${detail})`}`);
  } catch (error) {
    failed++;
    const output = (error as { stdout?: Buffer; stderr?: Buffer }) ?? {};
    console.log(`FAIL ${name} ${error instanceof Error ? error.message : String(error)}`);
    console.log(`${output.stdout ?? ""}${output.stderr ?? ""}`);
  }
}

function run(command: string, args: readonly string[], cwd: string): string {
  return execFileSync(command, args, { cwd, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });
}

/** Runs a program without blocking this process, in which the cluster lives. */
function runBeside(command: string, args: readonly string[], cwd: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd, stdio: ["ignore", "pipe", "pipe"] });
    let output = "";
    child.stdout.on("data", (chunk: Buffer) => {
      output += chunk.toString();
    });
    child.stderr.on("data", (chunk: Buffer) => {
      output += chunk.toString();
    });
    child.once("error", reject);
    child.once("close", (code) => (code === 0 ? resolve(output) : reject(new Error(`exit ${code}: ${output}`))));
  });
}

const use = `
  const consumer = await client.subscribe({ topic: process.argv[2], subscription: "s" });
  const producer = await client.createProducer({ topic: process.argv[2] });
  await producer.send("packed");
  const message = await consumer.receive({ timeoutMs: 10000 });
  if (message.text() !== "packed") throw new Error(message.text());
  await client.close();`;

await check("both packages are packed, with nothing but JavaScript and types", () => {
  for (const name of ["client", "server"]) {
    run("npm", ["pack", "--silent", "--pack-destination", project], join(root, "packages", name));
  }
  const packed = readdirSync(project);
  for (const file of packed) {
    const listing = run("tar", ["tzf", file], project).split("\n");
    const strange = listing.filter((f) => f !== "" && !/\.(js|cjs|d\.ts|d\.cts|json|md)$|LICENSE$/.test(f));
    if (strange.length > 0) throw new Error(`${file} holds ${strange.join(", ")}`);
  }
  return packed.join(", ");
});

await check("publint finds nothing wrong", () => {
  for (const name of ["client", "server"]) run("npx", ["publint", "--strict"], join(root, "packages", name));
});

await check("the types are right for every way of resolving the client", () => {
  const file = readdirSync(project).find((f) => f.includes("client")) as string;
  run("npx", ["attw", join(project, file), "--profile", "node16"], root);
});

await check("an empty project installs them with scripts disabled", () => {
  writeFileSync(join(project, "package.json"), '{ "name": "empty", "private": true, "type": "module" }');
  const archives = readdirSync(project)
    .filter((f) => f.endsWith(".tgz"))
    .map((f) => `./${f}`);
  run("npm", ["install", "--ignore-scripts", "--no-audit", "--no-fund", "--silent", ...archives], project);
});

await using cluster = await startCluster();
const { serviceUrl } = cluster;

await check("ESM", async () => {
  writeFileSync(
    join(project, "esm.mjs"),
    `import { PulsarClient } from "@pulsewire/client";\nconst client = new PulsarClient({ serviceUrl: "${serviceUrl}" });${use}`,
  );
  await runBeside(process.execPath, ["esm.mjs", "esm"], project);
});

await check("CommonJS", async () => {
  writeFileSync(
    join(project, "cjs.cjs"),
    `const { PulsarClient } = require("@pulsewire/client");\n(async () => { const client = new PulsarClient({ serviceUrl: "${serviceUrl}" });${use} })();`,
  );
  await runBeside(process.execPath, ["cjs.cjs", "cjs"], project);
});

await check("the server from the package, in a test's process", async () => {
  writeFileSync(
    join(project, "server.mjs"),
    `import { startCluster } from "@pulsewire/server";\nimport { PulsarClient } from "@pulsewire/client";\nconst cluster = await startCluster();\nconst client = new PulsarClient({ serviceUrl: cluster.serviceUrl });${use}\nawait cluster.close();`,
  );
  await runBeside(process.execPath, ["server.mjs", "server"], project);
});

await check("the command line", async () => {
  const help = await runBeside(process.execPath, ["node_modules/.bin/pulsewire", "--help"], project);
  if (!help.includes("--http-port")) throw new Error(help);
});

await check("types in a project of its own", async () => {
  writeFileSync(
    join(project, "types.ts"),
    `import { PulsarClient, type Message } from "@pulsewire/client";\nimport { startCluster, type Cluster } from "@pulsewire/server";\nexport const c: PulsarClient = new PulsarClient({ serviceUrl: "pulsar://x:1" });\nexport function text(m: Message): string { return m.text(); }\nexport const s: Promise<Cluster> = startCluster({ brokers: 2 });\n`,
  );
  writeFileSync(
    join(project, "tsconfig.json"),
    JSON.stringify({
      compilerOptions: {
        strict: true,
        // the declarations of the server's storage libraries want Node's types, which an empty project lacks
        skipLibCheck: true,
        noEmit: true,
        target: "ES2023",
        module: "NodeNext",
        moduleResolution: "NodeNext",
        lib: ["ES2023", "ESNext.Disposable", "DOM"],
        types: [],
      },
      files: ["types.ts"],
    }),
  );
  await runBeside(join(root, "node_modules", ".bin", "tsc"), ["-p", "."], project);
});

await check(`a browser bundle of producer and consumer is at most ${BUNDLE_BYTES_MAX / 1024} KB gzipped`, async () => {
  mkdirSync(join(project, "page"), { recursive: true });
  writeFileSync(
    join(project, "page", "page.js"),
    'import { PulsarClient } from "@pulsewire/client";\nwindow.PulsarClient = PulsarClient;\n',
  );
  const result = await build({
    entryPoints: [join(project, "page", "page.js")],
    bundle: true,
    minify: true,
    format: "esm",
    platform: "browser",
    // what is loaded only when it is needed, such as the encoder of ZSTD, is a file of its own
    splitting: true,
    outdir: join(project, "page", "out"),
    metafile: true,
    write: false,
    logLevel: "silent",
  });
  const [entry] = Object.entries(result.metafile.outputs).find(([, o]) => o.entryPoint !== undefined) ?? [];
  const file = result.outputFiles.find((f) => entry !== undefined && f.path.endsWith(basename(entry)));
  const statically = Object.values(result.metafile.outputs).flatMap((o) =>
    o.entryPoint === undefined ? [] : o.imports.filter((i) => i.kind !== "dynamic-import").map((i) => i.path),
  );
  if (file === undefined || statically.length > 0) throw new Error(`the page is more than one file: ${statically}`);
  const bytes = gzipSync(file.contents).length;
  if (bytes > BUNDLE_BYTES_MAX) throw new Error(`${bytes} bytes`);
  return `${(bytes / 1024).toFixed(1)} KB`;
});

rmSync(project, { recursive: true, force: true });
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
