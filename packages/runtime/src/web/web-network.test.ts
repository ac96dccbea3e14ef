import { afterEach, describe, expect, it, vi } from "vitest";
import { webNetwork } from "./web-network.ts";

afterEach(() => void vi.unstubAllGlobals());

/** Has the platform's fetch answer in one way. */
const answering = (answer: (request: Request, init: RequestInit) => Promise<Response>): void =>
  void vi.stubGlobal("fetch", answer);

describe("a request from a page", () => {
  it("gives status, headers and body", async () => {
    answering(async () => new Response("taken", { status: 409, headers: { "x-is": "here" } }));
    const response = await webNetwork.fetch(new Request("http://a/"));
    expect([response.status, response.headers.get("x-is"), await response.text()]).toEqual([409, "here", "taken"]);
  });

  it("gives a redirect that a page may not see as what it is", async () => {
    const hidden = { type: "opaqueredirect", status: 0, body: null } as Response;
    answering(async () => hidden);
    expect(await webNetwork.fetch(new Request("http://a/", { redirect: "manual" }))).toBe(hidden);
  });

  it("keeps no more of an answer than it may, and ends the transfer", async () => {
    const cancel = vi.fn();
    const endless = new ReadableStream({
      pull: (controller) => controller.enqueue(new Uint8Array(1000)),
      cancel,
    });
    answering(async () => new Response(endless));
    const asked = webNetwork.fetch(new Request("http://a/"), { answerBytesMax: 5000 });
    await expect(asked).rejects.toMatchObject({ code: "AnswerTooLarge" });
    expect(cancel).toHaveBeenCalledOnce();
  });

  it("rejects with what went wrong: no answer, too slow, aborted", async () => {
    answering(() => Promise.reject(new TypeError("Failed to fetch")));
    await expect(webNetwork.fetch(new Request("http://a/"))).rejects.toMatchObject({ code: "ConnectFailed" });
    const whenAborted: Parameters<typeof answering>[0] = (_, { signal }) =>
      new Promise((__, reject) => {
        const end = (): void => reject(signal?.reason);
        if (signal?.aborted === true) end();
        else signal?.addEventListener("abort", end);
      });
    answering(whenAborted);
    const late = webNetwork.fetch(new Request("http://a/"), { timeoutMs: 5 });
    await expect(late).rejects.toMatchObject({ code: "ConnectTimeout" });
    const aborted = new Request("http://a/", { signal: AbortSignal.abort() });
    await expect(webNetwork.fetch(aborted)).rejects.toMatchObject({ code: "Aborted" });
  });
});
