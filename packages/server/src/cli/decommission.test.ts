import { afterEach, expect, it, vi } from "vitest";
import { type Cluster, startCluster } from "../cluster/cluster.ts";
import { main } from "./main.ts";

let cluster: Cluster | undefined;
afterEach(async () => {
  vi.restoreAllMocks();
  await cluster?.close();
});

/** Runs a command line: its exit code, and what it printed. */
async function run(...args: string[]): Promise<[code: number, lines: string]> {
  const lines: string[] = [];
  for (const stream of ["log", "error"] as const) {
    vi.spyOn(console, stream).mockImplementation((line: unknown) => void lines.push(String(line)));
  }
  return [await main(args), lines.join("\n")];
}

it("a bookie of a running cluster leaves by a command, and one that cannot is told why in one line", async () => {
  cluster = await startCluster({ bookies: 4 });
  const at = ["--admin-url", cluster.adminUrl];
  expect(await run("decommission", "127.0.0.1:3182", ...at)).toEqual([0, "127.0.0.1:3182 has left"]);
  expect(cluster.bookies.map(({ id }) => id)).not.toContain("127.0.0.1:3182");
  expect(await run("decommission", "127.0.0.1:3182", ...at)).toEqual([
    1,
    expect.stringMatching(/^DecommissionFailed: bookie 127\.0\.0\.1:3182: it is none of 127\.0\.0\.1:3181, /),
  ]);
});

it("a cluster that does not answer, or no URL, is said in one line", async () => {
  expect(await run("decommission", "b:1", "--admin-url", "http://127.0.0.1:1")).toEqual([
    1,
    expect.stringMatching(/^no cluster answers at http:\/\/127\.0\.0\.1:1: /),
  ]);
  expect(await run("decommission", "b:1", "--admin-url", "nowhere")).toEqual([
    1,
    "--admin-url takes an URL such as http://127.0.0.1:8080, not nowhere",
  ]);
});
