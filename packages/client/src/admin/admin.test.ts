import { createMemoryNetwork, type Network, NetworkError } from "@pulsewire/runtime";
import { describe, expect, it } from "vitest";
import { tokenAuthentication } from "../auth/authentication.ts";
import { PulsarError } from "../errors.ts";
import { MessageId } from "../message-id.ts";
import type { AdminOptions } from "./admin-options.ts";
import { AdminError, PulsarAdmin } from "./index.ts";

interface Asked {
  method: string;
  path: string;
  headers: Headers;
  body: string;
}

/** A cluster that answers as it is told, and what it was asked. */
async function cluster(
  answer: (asked: Asked) => Response = () => new Response(null, { status: 204 }),
  options: Partial<AdminOptions> = {},
): Promise<{ admin: PulsarAdmin; asked: Asked[]; network: Network }> {
  const network = createMemoryNetwork();
  const asked: Asked[] = [];
  await network.listenHttp(
    { host: "broker", port: 8080 },
    {
      async fetch(request) {
        const { pathname, search } = new URL(request.url);
        const one = {
          method: request.method,
          path: pathname + search,
          headers: request.headers,
          body: await request.text(),
        };
        asked.push(one);
        return answer(one);
      },
    },
  );
  const admin = new PulsarAdmin({ serviceUrl: "http://broker", runtime: { network }, ...options });
  return { admin, asked, network };
}

const json = (value: unknown, status = 200): Response => Response.json(value, { status });
const lines = (asked: readonly Asked[]): string[] =>
  asked.map(({ method, path, body }) => `${method} ${path}${body === "" ? "" : ` ${body}`}`);

describe("an admin client", () => {
  it("asks by Pulsar's paths, methods and bodies", async () => {
    const { admin, asked } = await cluster();
    await admin.tenants.create("a", { allowedClusters: ["c"] });
    await admin.namespaces.create("a/b", { numBundles: 8, replicationClusters: ["c"] });
    await admin.topics.createPartitioned("persistent://a/b/t", 3);
    await admin.topics.delete("a/b/t", { force: true });
    await admin.namespaces.setPolicy("a/b", "retention", { retentionTimeInMinutes: 5, retentionSizeInMB: -1 });
    await admin.namespaces.setPolicy("a/b", "schemaCompatibilityStrategy", "FULL");
    await admin.namespaces.removePolicy("a/b", "offloadPolicies");
    await admin.namespaces.setPolicy("a/b", "messageTTL", 60);
    await admin.topics.setPolicy("a/b/t", "messageTTL", 60);
    await admin.topics.setPolicy("a/b/t", "maxProducers", 7);
    await admin.subscriptions.create("short", "s", "earliest");
    await admin.subscriptions.skip("short", "s", 5);
    expect(lines(asked)).toEqual([
      'PUT /admin/v2/tenants/a {"allowedClusters":["c"]}',
      'PUT /admin/v2/namespaces/a/b {"bundles":{"numBundles":8},"replication_clusters":["c"]}',
      "PUT /admin/v2/persistent/a/b/t/partitions 3",
      "DELETE /admin/v2/persistent/a/b/t?force=true",
      'POST /admin/v2/namespaces/a/b/retention {"retentionTimeInMinutes":5,"retentionSizeInMB":-1}',
      'PUT /admin/v2/namespaces/a/b/schemaCompatibilityStrategy "FULL"',
      "DELETE /admin/v2/namespaces/a/b/removeOffloadPolicies",
      "POST /admin/v2/namespaces/a/b/messageTTL 60",
      "POST /admin/v2/persistent/a/b/t/messageTTL?messageTTL=60",
      "POST /admin/v2/persistent/a/b/t/maxProducers 7",
      'PUT /admin/v2/persistent/public/default/short/subscription/s {"ledgerId":-1,"entryId":-1}',
      "POST /admin/v2/persistent/public/default/short/subscription/s/skip/5",
    ]);
  });

  it("escapes names, so that none reaches out of its place in the path", async () => {
    const { admin, asked } = await cluster(() => json([]));
    await admin.subscriptions.skipAll("t?x=1#y", "../../../tenants/a?force=true");
    await admin.tenants.delete("a/b");
    expect(lines(asked)).toEqual([
      "POST /admin/v2/persistent/public/default/t%3Fx%3D1%23y/subscription/..%2F..%2F..%2Ftenants%2Fa%3Fforce%3Dtrue/skip_all",
      "DELETE /admin/v2/tenants/a%2Fb",
    ]);
    expect(() => admin.tenants.delete("..")).toThrow(/tenant takes a name/);
    expect(() => admin.topics.stats("persistent://a/b/..")).toThrow(/topic takes a name/);
  });

  it("refuses at the call what cannot be right", async () => {
    const { admin, asked } = await cluster();
    const wrong: (() => unknown)[] = [
      () => admin.namespaces.get("nope"),
      () => admin.namespaces.get(undefined as unknown as string),
      () => admin.topics.createPartitioned("t", 0),
      () => admin.topics.stats(null as unknown as string),
      () => admin.topics.setPolicy("t", "messageTTL", "60" as unknown as number),
      () => admin.subscriptions.skip("t", "s", Number.NaN),
      () => admin.subscriptions.resetCursor("t", "s", "middle" as "latest"),
      () => new PulsarAdmin({ serviceUrl: "pulsar://broker:6650" }),
      () => new PulsarAdmin({ serviceUrl: "http://broker", timeout: 5 } as AdminOptions),
      () => new PulsarAdmin(undefined as unknown as AdminOptions),
    ];
    for (const call of wrong) expect(call).toThrow(PulsarError);
    expect(asked).toEqual([]);
  });

  it("rejects with the cluster's status and reason", async () => {
    const { admin } = await cluster(() => json({ reason: "Tenant does not exist" }, 404));
    const error = (await admin.tenants.get("a").catch((e: unknown) => e)) as AdminError;
    expect(error).toBeInstanceOf(AdminError);
    expect(error).toMatchObject({ status: 404, reason: "Tenant does not exist", retryable: false });
    expect(error.message).toBe("AdminRequestFailed: GET /admin/v2/tenants/a: 404 Tenant does not exist");
  });

  it("tells apart who may not, who is unknown and what may succeed later", async () => {
    const statuses = [401, 403, 503];
    const html = "<html><head><title>Error 503 Starting</title></head></html>";
    const { admin } = await cluster(() => {
      const status = statuses.shift() ?? 500;
      return status === 503 ? new Response(html, { status }) : json({ reason: "no" }, status);
    });
    await expect(admin.tenants.list()).rejects.toMatchObject({ code: "AuthenticationError" });
    await expect(admin.tenants.list()).rejects.toMatchObject({ code: "AuthorizationError" });
    await expect(admin.tenants.list()).rejects.toMatchObject({ retryable: true, reason: "Error 503 Starting" });
  });

  it("rejects where the answer is none of a Pulsar cluster", async () => {
    const { admin } = await cluster(() => new Response("<html>"));
    await expect(admin.tenants.list()).rejects.toMatchObject({ code: "ProtocolViolation" });
  });

  it("goes to the next host where one is not there, and stays with it", async () => {
    const { admin, asked } = await cluster(() => json([]), { serviceUrl: "http://dead:1,broker:8080" });
    await admin.tenants.list();
    await admin.topics.create("t");
    expect(asked).toHaveLength(2);
    const { admin: lost } = await cluster(() => json([]), { serviceUrl: "http://dead:1,dead:2" });
    await expect(lost.tenants.list()).rejects.toMatchObject({ code: "ConnectFailed", retryable: true });
  });

  it("does not send twice what must not be done twice, unless the first host never got it", async () => {
    for (const [cause, expected] of [
      [{ code: "ECONNRESET" }, 1],
      [{ code: "ECONNREFUSED" }, 2],
      [{ errors: [{ code: "ECONNREFUSED" }] }, 2],
    ] as const) {
      let tried = 0;
      const network = {
        ...createMemoryNetwork(),
        fetch: (): Promise<Response> => {
          tried++;
          return Promise.reject(new NetworkError("ConnectFailed", "gone", { cause }));
        },
      };
      const admin = new PulsarAdmin({ serviceUrl: "http://a,b", runtime: { network } });
      await expect(admin.subscriptions.skip("t", "s", 1)).rejects.toMatchObject({ code: "ConnectFailed" });
      expect(tried).toBe(expected);
    }
  });

  it("says who asks: a token, a password, or nothing", async () => {
    const tokens = ["first", "second"];
    const authentication = tokenAuthentication(() => tokens.shift() ?? "");
    const { admin, asked } = await cluster(() => json([]), { authentication });
    await admin.tenants.list();
    await admin.tenants.list();
    expect(asked.map(({ headers }) => headers.get("authorization"))).toEqual(["Bearer first", "Bearer second"]);
    const basic = { methodName: "basic", authData: () => "user:pässword" };
    const other = await cluster(() => json([]), { authentication: basic });
    await other.admin.tenants.list();
    expect(other.asked[0]?.headers.get("authorization")).toBe("Basic dXNlcjpww6Rzc3dvcmQ=");
  });

  it("follows redirects with its credentials only where it is told to", async () => {
    const { network, asked } = await cluster(() => json([]));
    await network.listenHttp(
      { host: "other", port: 8080 },
      { fetch: async (r) => Response.redirect(r.url.replace("other", "broker"), 307) },
    );
    const authentication = tokenAuthentication("secret");
    const admin = new PulsarAdmin({
      serviceUrl: "http://other",
      runtime: { network },
      authentication,
      authenticateRedirects: true,
    });
    expect(await admin.tenants.list()).toEqual([]);
    expect(asked[0]?.headers.get("authorization")).toBe("Bearer secret");
  });

  it("ends a circle of redirects", async () => {
    const { admin } = await cluster(() => Response.redirect("http://broker:8080/admin/v2/tenants", 307), {
      authenticateRedirects: true,
    });
    await expect(admin.tenants.list()).rejects.toMatchObject({ code: "TooManyLookupRedirects" });
  });

  it("gives up when it is told to", async () => {
    const { admin, asked } = await cluster();
    const signal = AbortSignal.abort();
    await expect(admin.tenants.list({ signal })).rejects.toMatchObject({ code: "Aborted" });
    expect(asked).toEqual([]);
  });

  it("answers any request: JSON, text that is none, and nothing", async () => {
    const answers = ["4.2.4", "[1]", ""];
    const jsonType = { headers: { "content-type": "application/json" } };
    const { admin, asked } = await cluster(() => new Response(answers.shift() ?? "", jsonType));
    expect(await admin.request("GET", "/admin/v2/brokers/version")).toBe("4.2.4");
    expect(await admin.request("POST", "/admin/v2/x", { query: { a: 1 }, body: { b: 2 } })).toEqual([1]);
    expect(await admin.request("GET", "/admin/v2/y")).toBeUndefined();
    expect(lines(asked).at(1)).toBe('POST /admin/v2/x?a=1 {"b":2}');
    await expect(admin.request("PATCH" as "PUT", "/x")).rejects.toThrow(/method takes one of GET, PUT/);
    await expect(admin.request("GET", "admin/v2/x")).rejects.toThrow(/path that begins with a slash/);
  });

  it("refuses options that there are none of, in every call, and asks nothing", async () => {
    const { admin, asked } = await cluster(() => json([]));
    const wrong = (options: unknown): never => options as never;
    const call = (run: () => Promise<unknown>): Promise<unknown> => Promise.resolve().then(run);
    for (const [run, says] of [
      [() => admin.tenants.list(wrong({ timeoutMS: 5 })), /no option "timeoutMS"; did you mean timeoutMs/],
      [() => admin.topics.create("t", wrong({ timeout: 5 })), /no option "timeout"; did you mean timeoutMs/],
      [() => admin.topics.delete("t", wrong({ forced: true })), /delete has no option "forced"; did you mean force/],
      [() => admin.topics.delete("t", wrong(true)), /delete takes an object with .*force, not true/],
      [() => admin.subscriptions.delete("t", "s", wrong({ force: "yes" })), /force takes true or false/],
      [() => admin.topics.partitionedStats("t", wrong({ perPartitions: false })), /did you mean perPartition/],
      [() => admin.tenants.list({ timeoutMs: 0 }), /timeoutMs takes a whole number of at least 1/],
      [() => admin.tenants.list({ signal: wrong({}) }), /signal takes an AbortSignal/],
      [() => admin.request("GET", "/x", wrong({ params: {} })), /no option "params"/],
    ] as const) {
      await expect(call(run)).rejects.toThrow(says);
    }
    expect(asked).toEqual([]);
    expect(() => new PulsarAdmin(wrong({}))).toThrow(/serviceUrl: administration takes http:.*not undefined/);
    expect(() => new PulsarAdmin({ serviceUrl: "pulsar://a" })).toThrow(/administration takes http:/);
    expect(() => new PulsarAdmin(wrong({ serviceUrl: "http://a", token: "x" }))).toThrow(/no option "token"/);
  });

  it("shows stored messages: alone from headers, batches taken apart", async () => {
    const { admin } = await cluster(() => {
      const headers = {
        "X-Pulsar-Message-ID": "7:3",
        "X-Pulsar-publish-time": "2024-01-02T03:04:05.006Z",
        "X-Pulsar-PROPERTY-colour": "red",
        "X-Pulsar-partition-key": "k",
      };
      return new Response("hello", { headers });
    });
    const [message] = await admin.subscriptions.peek("t", "s");
    expect(message?.messageId.toString()).toBe("7:3:-1");
    expect(new TextDecoder().decode(message?.data)).toBe("hello");
    expect(message).toMatchObject({ properties: { colour: "red" }, key: "k", publishTime: 1704164645006 });
  });

  it("reads ids and sends them back as numbers that survive JSON", async () => {
    const { admin, asked } = await cluster(() => json({ ledgerId: 5, entryId: 6, partitionIndex: 1 }));
    expect((await admin.topics.lastMessageId("t")).toString()).toBe("5:6:1");
    await admin.subscriptions.resetCursor("t", "s", MessageId.latest);
    expect(JSON.parse(asked[1]?.body as string)).toEqual({ ledgerId: 2 ** 53 - 1, entryId: 2 ** 53 - 1 });
  });
});
