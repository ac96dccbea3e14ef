import { existsSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { must, type RunningServer } from "./process.ts";

const here = join(import.meta.dirname, "real-pulsar");
/** Its files (hundreds of megabytes) may be kept outside the checkout, to outlive it. */
const home = process.env.REAL_PULSAR_HOME ?? here;

/** A port of the loopback interface that nobody listens on. */
export async function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      server.close(() => resolve(typeof address === "object" && address !== null ? address.port : 0));
    });
  });
}

/** Fetches a real Apache Pulsar 4.2.4, when it is not there, starts it on free ports and waits until it is healthy. */
export async function startRealBroker(settings: readonly string[] = [], brokerPort?: number): Promise<RunningServer> {
  if (!existsSync(join(home, "lib", ".done"))) await must("bash", [join(home, "setup.sh"), "--no-tools"]);
  const [broker, web, bookie] = [brokerPort ?? (await freePort()), await freePort(), await freePort()];
  const name = `interop-${broker}`;
  const env = { BROKER_PORT: String(broker), WEB_PORT: String(web), BK_PORT: String(bookie) };
  const flags = settings.flatMap((s) => ["-s", s]);
  await must("bash", [join(home, "start.sh"), "-n", name, "--wipe", ...flags], { env });
  await namespaceReady(`http://127.0.0.1:${web}`);
  return {
    serviceUrl: `pulsar://127.0.0.1:${broker}`,
    adminUrl: `http://127.0.0.1:${web}`,
    webSocketUrl: `ws://127.0.0.1:${web}`,
    pid: 0,
    stop: () => must("bash", [join(home, "stop.sh"), "-n", name]),
  };
}

/** A standalone broker is healthy a moment before it has made its default namespace. */
async function namespaceReady(adminUrl: string): Promise<void> {
  for (let attempt = 0; attempt < 100; attempt++) {
    const response = await fetch(`${adminUrl}/admin/v2/namespaces/public`);
    if (response.ok && ((await response.json()) as string[]).includes("public/default")) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error(`${adminUrl} has no namespace public/default`);
}
