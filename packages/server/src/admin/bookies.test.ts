import { createMemoryMessenger, createMemoryNetwork, createSeededRandom } from "@pulsewire/runtime";
import { createNodeRuntime } from "@pulsewire/runtime/node";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Cluster, startCluster } from "../cluster/cluster.ts";

const network = createMemoryNetwork();
let cluster: Cluster;
beforeAll(async () => {
  const memory = { network, messenger: createMemoryMessenger(), random: createSeededRandom(1) };
  cluster = await startCluster({ runtime: { ...createNodeRuntime(), ...memory }, bookies: 3, zones: 2 });
});
afterAll(() => cluster.close());

/** What was answered, as Apache Pulsar 4.2.4 answers it. */
async function ask(method: string, path: string, body?: unknown): Promise<[status: number, answer: unknown]> {
  const init = body === undefined ? { method } : { method, body: JSON.stringify(body) };
  const response = await network.fetch(new Request(`${cluster.adminUrl}/admin/v2/bookies${path}`, init));
  const text = await response.text();
  return [response.status, text === "" ? undefined : JSON.parse(text)];
}

const missing = (bookie: string): unknown => ({
  reason: `Bookie rack placement configuration not found: ${bookie}`,
});

describe("racks of bookies", () => {
  it("are those of the zones at first", async () => {
    expect(await ask("GET", "/racks-info")).toEqual([
      200,
      {
        default: {
          "127.0.0.1:3181": { rack: "/zone-0" },
          "127.0.0.1:3182": { rack: "/zone-1" },
          "127.0.0.1:3183": { rack: "/zone-0" },
        },
      },
    ]);
  });

  it("are set, answered and deleted", async () => {
    expect(await ask("POST", "/racks-info/b:1?group=g", { rack: "/r1", hostname: "h" })).toEqual([204, undefined]);
    expect(await ask("GET", "/racks-info/b:1")).toEqual([200, { rack: "/r1", hostname: "h" }]);
    expect(await ask("POST", "/racks-info/b:1?group=other", { rack: "r2" })).toEqual([204, undefined]);
    const [, all] = await ask("GET", "/racks-info");
    expect(all).toMatchObject({ other: { "b:1": { rack: "r2" } } });
    expect(all).not.toHaveProperty("g");
    expect(await ask("DELETE", "/racks-info/b:1")).toEqual([204, undefined]);
    expect(await ask("DELETE", "/racks-info/b:1")).toEqual([404, missing("b:1")]);
    expect(await ask("GET", "/racks-info/b:1")).toEqual([404, missing("b:1")]);
  });

  it("need a group, and no more names than the policy counts", async () => {
    const [status, answer] = await ask("POST", "/racks-info/b:1", { rack: "/r" });
    expect([status, answer]).toEqual([412, { reason: "Bookie 'group' parameters is missing" }]);
    for (const rack of ["/region/rack", "/a/b/c"]) {
      expect((await ask("POST", "/racks-info/b:1?group=g", { rack }))[0]).toBe(412);
    }
    expect((await ask("POST", "/racks-info/b:1?group=g", { rack: 7 }))[0]).toBe(400);
    expect((await ask("POST", "/racks-info/b:1?group=g", []))[0]).toBe(400);
  });
});
