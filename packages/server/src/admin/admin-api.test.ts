import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createMemoryMessenger, createMemoryNetwork, createSeededRandom, type MemoryNetwork } from "@pulsewire/runtime";
import { createNodeRuntime } from "@pulsewire/runtime/node";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Cluster, startCluster } from "../cluster/cluster.ts";

/** One request and what Apache Pulsar 4.2.4 answered to it, in the order in which they were asked. */
interface Recorded {
  method: string;
  path: string;
  body?: string;
  status: number;
  reason?: string;
  answer?: unknown;
}

const recorded = JSON.parse(readFileSync(join(import.meta.dirname, "recorded-answers.json"), "utf8")) as Recorded[];

/** Requests that are answered otherwise, each for a reason that stands in docs/unsupported.md. May only shrink. */
const OTHERWISE: readonly RegExp[] = [
  /\/compaction$/, // topic compaction is not served
  /\/backlogQuotaMap$/, // backlog quotas are not enforced
];

let cluster: Cluster;
let network: MemoryNetwork;
beforeAll(async () => {
  network = createMemoryNetwork();
  const runtime = {
    ...createNodeRuntime(),
    network,
    messenger: createMemoryMessenger(),
    random: createSeededRandom(1),
  };
  cluster = await startCluster({ runtime });
});
afterAll(() => cluster.close());

async function ask(method: string, path: string, body?: string): Promise<{ status: number; text: string }> {
  const init = body === undefined ? { method } : { method, body };
  const response = await network.fetch(new Request(`${cluster.adminUrl}${path}`, init));
  return { status: response.status, text: await response.text() };
}

describe("the admin REST and Apache Pulsar's", () => {
  it.each(recorded.map((r, i) => [i, r.method, r.path, r] as const))("%i: %s %s", async (_i, _m, _p, r) => {
    const { status, text } = await ask(r.method, r.path, r.body);
    if (OTHERWISE.some((pattern) => pattern.test(r.path))) {
      expect(status).not.toBe(r.status);
      return;
    }
    const reason = status >= 400 ? JSON.parse(text).reason : undefined;
    expect({ status, reason: r.reason === undefined ? undefined : reason }).toEqual({
      status: r.status,
      reason: r.reason,
    });
    if (r.answer !== undefined) expect(text === "" ? undefined : JSON.parse(text)).toEqual(r.answer);
  });
});

describe("partitions that are added", () => {
  it("have the subscriptions of the first one from the start", async () => {
    const topic = "/admin/v2/persistent/public/default/grows";
    await ask("PUT", `${topic}/partitions`, "1");
    await ask("PUT", `${topic}/subscription/kept`, '"earliest"');
    expect((await ask("POST", `${topic}/partitions`, "3")).status).toBe(204);
    for (const index of [1, 2]) {
      expect((await ask("GET", `${topic}-partition-${index}/subscriptions`)).text).toBe('["kept"]');
    }
    expect((await ask("POST", `${topic}/partitions`, "3")).status).toBe(204);
  });
});
