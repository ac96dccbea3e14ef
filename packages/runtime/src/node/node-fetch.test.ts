import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { nodeFetch } from "./node-fetch.ts";

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

/** Listens, and answers every request in one way. */
async function serve(answer: Answer): Promise<string> {
  const server = createServer(answer);
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const text = async (request: IncomingMessage): Promise<string> => {
  let all = "";
  for await (const chunk of request) all += chunk;
  return all;
};
/** Answers with what came. */
const mirror: Answer = async (request, response) => {
  const { method, url, headers } = request;
  const { authorization, "content-type": type } = headers;
  response.setHeader("x-mirror", "yes");
  response.end(JSON.stringify({ method, url, authorization, type, body: await text(request) }));
};
const redirectTo =
  (status: number, location: string): Answer =>
  (_, response) =>
    response.writeHead(status, { location }).end();
const post = (url: string, more: RequestInit = {}): Request =>
  new Request(url, {
    method: "POST",
    body: "payload",
    headers: { authorization: "Bearer t", "content-type": "text/plain" },
    ...more,
  });

describe("a request over HTTP", () => {
  it("brings method, headers and body, and gives back status, headers and body", async () => {
    const response = await nodeFetch(post(`${await serve(mirror)}/a?b=c`));
    expect([response.status, response.headers.get("x-mirror")]).toEqual([200, "yes"]);
    expect(await response.json()).toEqual({
      method: "POST",
      url: "/a?b=c",
      authorization: "Bearer t",
      type: "text/plain",
      body: "payload",
    });
  });

  it("answers errors of the server as they are, and no body where there is none", async () => {
    const url = await serve((_, response) => response.writeHead(409).end("taken"));
    const response = await nodeFetch(new Request(url));
    expect([response.status, await response.text()]).toEqual([409, "taken"]);
    const empty = await serve((_, answered) => answered.writeHead(204).end());
    expect(await (await nodeFetch(new Request(empty))).text()).toBe("");
  });

  it.each([
    [307, "POST", "payload"],
    [308, "POST", "payload"],
    [302, "GET", ""],
    [303, "GET", ""],
  ])("follows a %i as a %s", async (status, method, body) => {
    const url = await serve((request, response) =>
      (request.url === "/there" ? mirror : redirectTo(status, "/there"))(request, response),
    );
    expect(await (await nodeFetch(post(url))).json()).toMatchObject({ method, body, authorization: "Bearer t" });
  });

  it("leaves the credentials behind when it goes to another host", async () => {
    const other = await serve(mirror);
    const url = await serve(redirectTo(307, `${other}/there`));
    const came = await (await nodeFetch(post(url))).json();
    expect(came).toMatchObject({ url: "/there", body: "payload" });
    expect(came).not.toHaveProperty("authorization");
  });

  it("gives the redirect itself where it is not to follow", async () => {
    const response = await nodeFetch(post(await serve(redirectTo(307, "/there")), { redirect: "manual" }));
    expect([response.status, response.headers.get("location")]).toEqual([307, "/there"]);
  });

  it("gives up a circle of redirects", async () => {
    const url = await serve(redirectTo(307, "/"));
    await expect(nodeFetch(new Request(url))).rejects.toMatchObject({ code: "ConnectFailed" });
  });

  it("rejects with what went wrong: refused, too slow, aborted", async () => {
    const silent = await serve(() => undefined);
    await expect(nodeFetch(new Request(silent), { timeoutMs: 20 })).rejects.toMatchObject({ code: "ConnectTimeout" });
    const aborted = new Request(silent, { signal: AbortSignal.abort() });
    await expect(nodeFetch(aborted)).rejects.toMatchObject({ code: "Aborted" });
    await expect(nodeFetch(new Request("http://127.0.0.1:1/"))).rejects.toMatchObject({ code: "ConnectFailed" });
  });

  it("keeps no more of an answer than it may, and hangs up on the rest", async () => {
    let ended = (): void => undefined;
    const hungUp = new Promise<void>((resolve) => (ended = resolve));
    const url = await serve((_, response) => {
      response.on("close", () => ended());
      const more = (): void => void (response.write("x".repeat(1000)) && setImmediate(more));
      response.on("drain", more);
      more();
    });
    const asked = nodeFetch(new Request(url), { answerBytesMax: 5000 });
    await expect(asked).rejects.toMatchObject({ code: "AnswerTooLarge" });
    await hungUp;
  });

  it("takes an answer of just the size it may have", async () => {
    const url = await serve((_, response) => response.end("x".repeat(5000)));
    expect((await (await nodeFetch(new Request(url), { answerBytesMax: 5000 })).text()).length).toBe(5000);
  });
});
