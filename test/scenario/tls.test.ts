import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PulsarClient, type PulsarClientOptions } from "@pulsewire/client";
import { type Cluster, startCluster } from "@pulsewire/server";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

/** A self-signed certificate for the names. */
function certificate(...names: string[]): { cert: string; key: string } {
  const folder = mkdtempSync(join(tmpdir(), "pulsewire-tls-"));
  const [cert, key] = [join(folder, "cert.pem"), join(folder, "key.pem")];
  const subject = ["-subj", "/CN=pulsewire", "-addext", `subjectAltName=${names.join(",")}`, "-days", "2", "-nodes"];
  execFileSync("openssl", ["req", "-x509", "-newkey", "rsa:2048", ...subject, "-keyout", key, "-out", cert], {
    stdio: "ignore",
  });
  const pair = { cert: readFileSync(cert, "utf8"), key: readFileSync(key, "utf8") };
  rmSync(folder, { recursive: true });
  return pair;
}

let cluster: Cluster;
let stranger: Cluster;
const pair = certificate("IP:127.0.0.1", "DNS:localhost");
const elsewhere = certificate("DNS:elsewhere.example");
beforeAll(async () => {
  cluster = await startCluster({ brokers: 2, tls: pair });
  stranger = await startCluster({ tls: elsewhere });
});
afterAll(async () => {
  await cluster.close();
  await stranger.close();
});

async function roundTrip(options: PulsarClientOptions): Promise<string> {
  await using client = new PulsarClient({ operationTimeoutMs: 3000, ...options });
  const topic = `persistent://public/default/tls-${options.serviceUrl?.split(":", 1)[0]}`;
  const consumer = await client.subscribe({ topic, subscription: "s" });
  const producer = await client.createProducer({ topic });
  await producer.send("over TLS");
  return (await consumer.receive({ timeoutMs: 3000 })).text();
}

describe("TLS", () => {
  it("carries the binary protocol, to whichever broker serves the topic", async () => {
    const serviceUrl = cluster.serviceUrlTls as string;
    expect(serviceUrl).toMatch(/^pulsar\+ssl:/);
    expect(await roundTrip({ serviceUrl, tls: { ca: pair.cert } })).toBe("over TLS");
  });

  it("carries WebSocket", async () => {
    const serviceUrl = cluster.webSocketUrlTls as string;
    expect(serviceUrl).toMatch(/^wss:/);
    expect(await roundTrip({ serviceUrl, tls: { ca: pair.cert } })).toBe("over TLS");
  });

  it("is refused by a client that does not trust the certificate, unless it is told to trust any", async () => {
    const serviceUrl = cluster.serviceUrlTls as string;
    await expect(roundTrip({ serviceUrl })).rejects.toThrow(/certificate/i);
    expect(await roundTrip({ serviceUrl, tls: { allowInsecure: true } })).toBe("over TLS");
  });

  it.each(["serviceUrlTls", "webSocketUrlTls", "adminUrlTls"] as const)(
    "is refused on %s when the certificate is for another host, unless names are not checked",
    async (url) => {
      const serviceUrl = stranger[url] as string;
      const tls = { ca: elsewhere.cert };
      await expect(roundTrip({ serviceUrl, tls })).rejects.toThrow(/altnames|hostname|does not match/i);
      expect(await roundTrip({ serviceUrl, tls: { ...tls, verifyHostname: false } })).toBe("over TLS");
    },
  );

  it("carries lookups over HTTP", async () => {
    const serviceUrl = cluster.adminUrlTls as string;
    expect(serviceUrl).toMatch(/^https:/);
    expect(await roundTrip({ serviceUrl, tls: { ca: pair.cert } })).toBe("over TLS");
  });
});
