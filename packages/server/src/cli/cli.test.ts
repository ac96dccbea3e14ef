import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { createNodeRuntime } from "@pulsewire/runtime/node";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { parseCommandLine, readConfig, UsageError } from "./options.ts";

const entry = join(import.meta.dirname, "..", "cli.ts");
const running: ChildProcess[] = [];
afterEach(() => {
  for (const child of running.splice(0)) child.kill("SIGKILL");
});

interface Cli {
  child: ChildProcess;
  /** The next line of standard output; undefined at its end. */
  line(): Promise<string | undefined>;
  errors(): string;
  exit: Promise<number | null>;
}

function cli(...args: string[]): Cli {
  const child = spawn(process.execPath, ["--conditions=source", "--import", "tsx", entry, ...args], {
    stdio: ["ignore", "pipe", "pipe"],
  });
  running.push(child);
  let errors = "";
  child.stderr?.on("data", (chunk: Buffer) => {
    errors += chunk.toString();
  });
  const lines = createInterface({ input: child.stdout as NodeJS.ReadableStream })[Symbol.asyncIterator]();
  const exit = new Promise<number | null>((resolve) => child.once("close", resolve));
  return { child, line: async () => (await lines.next()).value, errors: () => errors, exit };
}

const ANY_PORT = ["--port", "0", "--http-port", "0"];

describe("command line", { timeout: 30_000 }, () => {
  it("prints one line of JSON when ready, serves, and ends with 0 at the first interrupt", async () => {
    const server = cli(...ANY_PORT, "--json", "--brokers", "2");
    const address = JSON.parse((await server.line()) as string);
    expect(address).toMatchObject({
      serviceUrl: expect.stringMatching(/^pulsar:\/\/127\.0\.0\.1:\d+$/),
      webSocketUrl: expect.stringMatching(/^ws:\/\/127\.0\.0\.1:\d+\/ws\/binary$/),
      adminUrl: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
    });
    expect(address.brokers).toHaveLength(2);
    expect(await (await fetch(`${address.adminUrl}/admin/v2/brokers/health`)).text()).toBe("ok");
    server.child.kill("SIGINT");
    expect(await server.exit).toBe(0);
  });

  it("says in one line that a port is in use, and exits with 1", async () => {
    const listener = await createNodeRuntime().network.listen({ host: "127.0.0.1", port: 0 }, () => undefined);
    const server = cli("--port", String(listener.port), "--http-port", "0");
    expect(await server.exit).toBe(1);
    expect(server.errors().trim()).toBe(`port ${listener.port} on 127.0.0.1 is in use`);
    await listener.close();
  });

  it("says in one line what is wrong with an option, and exits with 1", async () => {
    const server = cli(...ANY_PORT, "--set", "allowAutoTopicCreation=perhaps");
    expect(await server.exit).toBe(1);
    expect(server.errors().trim()).toBe('settings.allowAutoTopicCreation takes true or false, not "perhaps"');
  });

  it("says in one line that a data directory is in use, and exits with 1", async () => {
    const dataDir = join(folder, "data");
    const first = cli(...ANY_PORT, "--data-dir", dataDir);
    expect(await first.line()).toBe(`Pulsewire is running: 1 broker, 3 bookies, in ${dataDir}.`);
    const second = cli(...ANY_PORT, "--data-dir", dataDir);
    expect(await second.exit).toBe(1);
    expect(second.errors().trim()).toBe(`${dataDir}/metadata is in use by another process`);
  });

  it("serves TLS on both listeners when it is given a certificate", async () => {
    const server = cli(...ANY_PORT, "--tls-port", "0", "--https-port", "0", "--json", ...tlsFlags());
    const address = JSON.parse((await server.line()) as string);
    const tls = { ca: readFileSync(certificate, "utf8") };
    for (const url of [address.serviceUrlTls, address.adminUrlTls]) {
      const { hostname, port } = new URL(url.replace(/^pulsar\+ssl/, "https"));
      const channel = await createNodeRuntime().network.connect({
        transport: "tls",
        host: hostname,
        port: Number(port),
        tls: { ...tls, verifyHostname: false },
      });
      expect(channel.transport).toBe("tls");
      channel.destroy();
    }
  });
});

let folder: string;
let certificate: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "pulsewire-cli-"));
  certificate = join(folder, "cert.pem");
  const subject = ["-subj", "/CN=localhost", "-days", "2", "-nodes"];
  const files = ["-keyout", join(folder, "key.pem"), "-out", certificate];
  execFileSync("openssl", ["req", "-x509", "-newkey", "rsa:2048", ...subject, ...files], { stdio: "ignore" });
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function tlsFlags(): string[] {
  return ["--set", `tlsCertificateFilePath=${certificate}`, "--set", `tlsKeyFilePath=${join(folder, "key.pem")}`];
}

describe("options", () => {
  it("have Pulsar's ports by default", () => {
    expect(parseCommandLine([]).cluster).toMatchObject({ port: 6650, httpPort: 8080, host: "127.0.0.1", brokers: 1 });
  });

  it("take settings from a file, over which the command line's go", () => {
    const file = join(folder, "broker.conf");
    writeFileSync(file, "# a comment\nmaxProducersPerTopic=7\nzookeeperServers=x\nallowAutoTopicCreation=false\n");
    const { settings } = parseCommandLine(["--config", file, "--set", "maxProducersPerTopic=9"]).cluster;
    expect(settings).toEqual({ maxProducersPerTopic: "9", allowAutoTopicCreation: "false" });
  });

  it("pass over what a broker.conf has beside the settings known here", () => {
    expect(readConfig("a=b\n\n  defaultNumberOfNamespaceBundles = 8 \n=x")).toEqual({
      defaultNumberOfNamespaceBundles: "8",
    });
  });

  it.each([
    ["--tls-port needs", ["--tls-port", "0"]],
    ["--https-port needs", ["--https-port", "0"]],
    ["go together", ["--set", "tlsKeyFilePath=x"]],
    ["cannot read /no/such/file", ["--config", "/no/such/file"]],
  ])("that do not go together are refused: %s", (message, args) => {
    expect(() => parseCommandLine(args)).toThrow(UsageError);
    expect(() => parseCommandLine(args)).toThrow(message);
  });
});
