import { CommandType } from "@pulsewire/protocol";
import type { ClientRuntime } from "@pulsewire/runtime";
import { describe, expect, it } from "vitest";
import { CoreClient } from "../client.ts";
import { FakeBroker } from "../testing/fake-broker.ts";
import { memoryRuntime, outcome, startFixture } from "../testing/fixture.ts";
import { type Authentication, basicAuthentication, tokenAuthentication } from "./authentication.ts";
import { tlsAuthentication, tokenFileAuthentication } from "./authentication-files.ts";
import { oauth2Authentication } from "./oauth2-authentication.ts";

const text = (data: Uint8Array | undefined): string => new TextDecoder().decode(data);

/** An issuer on a network in memory; answers tokens `t1`, `t2` and so on. */
async function startIssuer(
  answer: (n: number) => Response = (n) => Response.json({ access_token: `t${n}`, expires_in: 1000 }),
): Promise<{ runtime: ClientRuntime; forms: URLSearchParams[]; advance(ms: number): Promise<void>; url: string }> {
  const { runtime, network, clock } = memoryRuntime();
  const forms: URLSearchParams[] = [];
  const listener = await network.listenHttp(
    { host: "issuer", port: 0 },
    {
      async fetch(request) {
        const { origin, pathname } = new URL(request.url);
        if (pathname.endsWith("/.well-known/openid-configuration")) {
          return Response.json({ token_endpoint: `${origin}/token` });
        }
        forms.push(new URLSearchParams(await request.text()));
        return answer(forms.length);
      },
    },
  );
  const url = `http://issuer:${listener.port}`;
  return { runtime, forms, advance: (ms) => clock.advance(ms), url };
}

const credentials = { client_id: "me", client_secret: "s" };

describe("a token", () => {
  it("is refused where it is none", async () => {
    expect(() => tokenAuthentication("")).toThrow("takes a token or a function");
    const { client } = await startFixture({ authentication: tokenAuthentication(() => 5 as unknown as string) });
    expect(await outcome(client.createProducer({ topic: "t" }))).toBe("InvalidConfiguration");
  });

  it("in a file is read again for each connection", async () => {
    const { runtime, network, clock } = memoryRuntime();
    const tokens = ["one\n", "two\n"];
    const broker = await FakeBroker.start(network);
    const authentication = tokenFileAuthentication("/token");
    const readTextFile = async (): Promise<string> => tokens.shift() ?? "";
    const client = new CoreClient({ serviceUrl: broker.url, authentication }, { ...runtime, readTextFile });
    await client.createProducer({ topic: "t" });
    broker.connection.drop();
    await clock.advance(1000);
    expect(broker.of(CommandType.CONNECT).map((c) => text(c.authData))).toEqual(["one", "two"]);
  });

  it("in a file says so where the platform reads none", async () => {
    const { client } = await startFixture({ authentication: tokenFileAuthentication("/token") });
    expect(await outcome(client.createProducer({ topic: "t" }))).toBe("Unsupported");
  });
});

it("a user and a password go as the basic method", async () => {
  const { client, broker } = await startFixture({
    authentication: basicAuthentication({ userId: "u", password: "p:w" }),
  });
  await client.createProducer({ topic: "t" });
  const [connect] = broker.of(CommandType.CONNECT);
  expect([connect?.authMethodName, text(connect?.authData)]).toEqual(["basic", "u:p:w"]);
  expect(() => basicAuthentication({ userId: "a:b", password: "" })).toThrow("without a colon");
});

describe("a TLS certificate", () => {
  it("is taken as texts or as files, and nothing between", async () => {
    const { runtime } = memoryRuntime();
    const files: ClientRuntime = { ...runtime, readTextFile: async (path) => `<${path}>` };
    const given = tlsAuthentication({ certificate: "C", privateKey: "K" });
    expect(await given.certificate?.(runtime)).toEqual({ cert: "C", key: "K" });
    const inFiles = tlsAuthentication({ certificatePath: "c", privateKeyPath: "k" });
    expect(await inFiles.certificate?.(files)).toEqual({ cert: "<c>", key: "<k>" });
    expect(() => tlsAuthentication({ certificate: "C", privateKeyPath: "k" })).toThrow("PEM texts");
  });
});

describe("OAuth 2.0 client credentials", () => {
  it("become a token of the issuer, which all connections share until nine tenths of its life are over", async () => {
    const { runtime, forms, advance, url } = await startIssuer();
    const authentication = oauth2Authentication({ issuerUrl: url, credentials, audience: "a", scope: "s" });
    const ask = (): Promise<unknown> => Promise.resolve(authentication.authData(undefined, runtime));
    expect(await Promise.all([ask(), ask()])).toEqual(["t1", "t1"]);
    expect(Object.fromEntries(forms[0] ?? [])).toEqual({
      grant_type: "client_credentials",
      client_id: "me",
      client_secret: "s",
      audience: "a",
      scope: "s",
    });
    await advance(899_999);
    expect(await ask()).toBe("t1");
    await advance(1);
    expect(await ask()).toBe("t2");
  });

  it("are used again when the broker challenges", async () => {
    const { runtime, advance, url } = await startIssuer();
    const authentication = oauth2Authentication({ issuerUrl: url, credentials });
    await authentication.authData(undefined, runtime);
    expect(await authentication.authData(Uint8Array.of(1), runtime)).toBe("t1");
    await advance(1001);
    expect(await authentication.authData(Uint8Array.of(1), runtime)).toBe("t2");
  });

  it("may be in a key file, or in a data: URL", async () => {
    const { runtime, forms, url } = await startIssuer();
    const readTextFile = async (path: string): Promise<string> => {
      expect(path).toBe("/etc/key.json");
      return JSON.stringify({ type: "client_credentials", ...credentials });
    };
    const ask = (place: string): Promise<unknown> =>
      Promise.resolve(
        oauth2Authentication({ issuerUrl: url, credentials: place }).authData(undefined, { ...runtime, readTextFile }),
      );
    await ask("/etc/key.json");
    await ask("file:///etc/key.json");
    await ask(`data:application/json;base64,${btoa(JSON.stringify(credentials))}`);
    expect(forms.map((f) => f.get("client_id"))).toEqual(["me", "me", "me"]);
    await expect(ask("data:application/json,{}")).rejects.toThrow("AuthenticationError");
  });

  it("that the issuer refuses fail with its words", async () => {
    const refusal = (): Response =>
      Response.json({ error: "invalid_client", error_description: "no such client" }, { status: 401 });
    const { runtime, url } = await startIssuer(refusal);
    const authentication = oauth2Authentication({ issuerUrl: url, credentials });
    await expect(authentication.authData(undefined, runtime)).rejects.toMatchObject({
      code: "AuthenticationError",
      retryable: false,
      message: expect.stringContaining("no such client"),
    });
  });

  it("are asked for again after an issuer that was away", async () => {
    const { runtime, url } = await startIssuer((n) =>
      n === 1 ? new Response("<html>", { status: 503 }) : Response.json({ access_token: "late" }),
    );
    const authentication = oauth2Authentication({ issuerUrl: url, credentials });
    await expect(authentication.authData(undefined, runtime)).rejects.toMatchObject({ retryable: true });
    expect(await authentication.authData(undefined, runtime)).toBe("late");
  });

  it("are checked where they are given", () => {
    const make = (options: object): unknown => oauth2Authentication(options as never);
    expect(() => make({ issuerUrl: "issuer", credentials })).toThrow("issuerUrl");
    expect(() => make({ issuerUrl: "https://i", credentials: { client_id: "x" } })).toThrow("client_secret");
    expect(() => make({ issuerUrl: "https://i", credentials, timeoutMs: -1 })).toThrow("timeoutMs");
  });
});

it("what is no authentication is refused when the client is made", () => {
  const { runtime } = memoryRuntime();
  const authentication = { token: "x" } as unknown as Authentication;
  expect(() => new CoreClient({ serviceUrl: "pulsar://b", authentication }, runtime)).toThrow("tokenAuthentication");
});
