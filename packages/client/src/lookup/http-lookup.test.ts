import { CommandType } from "@pulsewire/protocol";
import { describe, expect, it } from "vitest";
import { tokenAuthentication } from "../auth/authentication.ts";
import { CoreClient } from "../client.ts";
import type { PulsarClientOptions } from "../client-options.ts";
import { autoConsumeSchema } from "../schema/auto-schemas.ts";
import { FakeBroker } from "../testing/fake-broker.ts";
import { memoryRuntime, outcome } from "../testing/fixture.ts";

type Answer = (path: string, request: Request) => Response | undefined;

/** A broker and its web service; `answer` may take the place of what it says. */
async function start(answer: Answer = () => undefined, options: Partial<PulsarClientOptions> = {}) {
  const { runtime, network, clock } = memoryRuntime();
  const broker = await FakeBroker.start(network);
  const asked: { path: string; host: string; authorization: string | null }[] = [];
  const serve = async (request: Request): Promise<Response> => {
    const { pathname, search, host } = new URL(request.url);
    asked.push({ path: `${pathname}${search}`, host, authorization: request.headers.get("authorization") });
    const own = answer(`${pathname}${search}`, request);
    if (own !== undefined) return own;
    if (pathname.startsWith("/lookup/")) return Response.json({ brokerUrl: broker.url, brokerUrlTls: "" });
    return Response.json({ partitions: 0 });
  };
  for (const host of ["web", "web2"]) await network.listenHttp({ host, port: 8080 }, { fetch: serve });
  const client = new CoreClient({ serviceUrl: "http://web", operationTimeoutMs: 2000, ...options }, runtime);
  return { client, broker, asked, clock, network, runtime };
}

const redirectTo =
  (location: string): Answer =>
  (path, request) =>
    path.startsWith("/lookup") && new URL(request.url).host === "web:8080"
      ? new Response(null, { status: 307, headers: { location } })
      : undefined;

describe("a service URL of http://", () => {
  it("finds partitions and brokers over HTTP, and sends frames to the broker", async () => {
    const { client, broker, asked } = await start(undefined, { listenerName: "inside" });
    const producer = await client.createProducer({ topic: "a b" });
    expect(producer.isConnected).toBe(true);
    expect(asked.map((a) => a.path)).toEqual([
      "/admin/v2/persistent/public/default/a%20b/partitions?checkAllowAutoCreation=true",
      "/lookup/v2/topic/persistent/public/default/a%20b?listenerName=inside",
    ]);
    expect(broker.of(CommandType.LOOKUP)).toEqual([]);
  });

  it("goes to the next host where the first is dead", async () => {
    const { client } = await start(undefined, { serviceUrl: "http://dead,web" });
    expect(await outcome(client.createProducer({ topic: "t" }))).toBe("resolved");
  });

  it("follows a redirect, with the credentials to hosts the URL names and to no other", async () => {
    const options = { authentication: tokenAuthentication("secret") };
    const elsewhere = await start(redirectTo("http://web2:8080/lookup/v2/topic/x?authoritative=true"), options);
    await elsewhere.client.createProducer({ topic: "t" });
    expect(elsewhere.asked.map((a) => [a.host, a.authorization])).toEqual([
      ["web:8080", "Bearer secret"],
      ["web:8080", "Bearer secret"],
      ["web2:8080", null],
    ]);
    for (const more of [{ serviceUrl: "http://web,web2" }, { authenticateRedirects: true }]) {
      const { client, asked } = await start(redirectTo("http://web2:8080/x"), { ...options, ...more });
      await client.createProducer({ topic: "t" }).catch(() => undefined);
      expect(asked.at(2)).toMatchObject({ host: "web2:8080", authorization: "Bearer secret" });
    }
  });

  it("gives up a redirect that never ends", async () => {
    const { client, asked, clock } = await start(
      (path) =>
        path.startsWith("/lookup")
          ? new Response(null, { status: 307, headers: { location: "http://web:8080/lookup/again" } })
          : undefined,
      { maxLookupRedirects: 3, operationTimeoutMs: 50 },
    );
    const result = outcome(client.createProducer({ topic: "t" }));
    await clock.advance(100);
    expect(await result).toBe("TooManyLookupRedirects");
    expect(asked.filter((a) => a.path.startsWith("/lookup")).length).toBe(4);
  });

  it.each([
    [401, "AuthenticationError"],
    [403, "AuthorizationError"],
    [404, "TopicNotFound"],
  ])("tells status %i as %s, with the broker's reason", async (status, code) => {
    const { client } = await start(() => Response.json({ reason: "because" }, { status }));
    await expect(client.createProducer({ topic: "t" })).rejects.toMatchObject({
      code,
      message: expect.stringContaining("because"),
    });
  });

  it("tries again what a broker could not answer", async () => {
    let refusals = 2;
    const { client, clock } = await start(() => (refusals-- > 0 ? new Response("busy", { status: 503 }) : undefined));
    const made = outcome(client.createProducer({ topic: "t" }));
    await clock.advance(1500);
    expect(await made).toBe("resolved");
  });

  it("answers with no broker for TLS: says so", async () => {
    const { runtime, network } = memoryRuntime();
    await network.listenHttp(
      { host: "web", port: 8443 },
      {
        fetch: async (r) => Response.json(r.url.includes("/lookup") ? { brokerUrl: "pulsar://b" } : { partitions: 0 }),
      },
    );
    const client = new CoreClient({ serviceUrl: "https://web" }, runtime);
    await expect(client.createProducer({ topic: "t" })).rejects.toThrow("names no broker with an address for TLS");
  });

  it("fetches schemas by their versions", async () => {
    const schema = { version: 3, type: "INT32", data: "", properties: {} };
    const { client, broker, asked } = await start((path) =>
      path.includes("/schemas/") ? Response.json(schema) : undefined,
    );
    const consumer = await client.subscribe({ topic: "t", subscription: "s", schema: autoConsumeSchema() });
    const version = Uint8Array.of(0, 0, 0, 0, 0, 0, 0, 3);
    broker.deliver({ entryId: 0, texts: ["\0\0\0\x07"], metadata: { schemaVersion: version } });
    const { value } = await consumer.receive();
    expect([value.schemaType, value.nativeValue]).toEqual(["INT32", 7]);
    expect(asked.at(-1)?.path).toBe("/admin/v2/schemas/public/default/t/schema/3");
  });
});
