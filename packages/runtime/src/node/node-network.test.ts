import { afterEach, describe, expect, it } from "vitest";
import { deferred } from "../kit/deferred.ts";
import type { Channel, Listener, Network } from "../network.ts";
import { createNodeRuntime } from "./index.ts";

const network: Network = createNodeRuntime().network;
const listeners: Listener[] = [];
afterEach(async () => {
  for (const listener of listeners.splice(0)) await listener.close();
});

async function listening(promise: Promise<Listener>): Promise<Listener> {
  const listener = await promise;
  listeners.push(listener);
  return listener;
}

function echo(channel: Channel): void {
  channel.setSink({ onData: (chunk) => channel.write(chunk), onDrain: () => undefined, onClose: () => undefined });
}

/** Collects bytes until `count` have come. */
function collect(channel: Channel, count: number): Promise<number[]> {
  const { promise, resolve, reject } = deferred<number[]>();
  const bytes: number[] = [];
  channel.setSink({
    onData(chunk) {
      bytes.push(...chunk);
      if (bytes.length >= count) resolve(bytes);
    },
    onDrain: () => undefined,
    onClose: (error) => reject(error ?? new Error("closed")),
  });
  promise.catch(() => undefined); // a test that does not wait for bytes does not care about the end either
  return promise;
}

const local = { host: "127.0.0.1", port: 0 };

describe("node network", () => {
  it("carries bytes over TCP, many writes of a turn together", async () => {
    const { port } = await listening(network.listen(local, echo));
    const channel = await network.connect({ transport: "tcp", host: "127.0.0.1", port });
    const got = collect(channel, 9);
    channel.write(Uint8Array.of(1, 2), Uint8Array.of(3));
    channel.write(Uint8Array.of(4));
    channel.write(Uint8Array.of(5, 6, 7, 8, 9));
    expect(await got).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9]);
    channel.close();
  });

  it("keeps order when small and large pieces mix", async () => {
    const { port } = await listening(network.listen(local, echo));
    const channel = await network.connect({ transport: "tcp", host: "127.0.0.1", port });
    const pieces = [1, 5000, 2, 3, 9000, 4].map((size, i) => new Uint8Array(size).fill(i));
    const expected = pieces.flatMap((p) => [...p]);
    const got = collect(channel, expected.length);
    for (const piece of pieces) channel.write(piece);
    expect(await got).toEqual(expected);
    channel.close();
  });

  it("answers false above the high-water mark and tells when there is room again", async () => {
    const { port } = await listening(network.listen(local, (c) => collect(c, 1)));
    const channel = await network.connect({ transport: "tcp", host: "127.0.0.1", port });
    const drained = deferred<void>();
    channel.setSink({ onData: () => undefined, onDrain: () => drained.resolve(), onClose: () => undefined });
    const chunk = new Uint8Array(512 * 1024);
    expect(channel.write(chunk)).toBe(true);
    expect(channel.write(chunk)).toBe(false);
    await drained.promise;
    channel.destroy();
  });

  it("carries one write as one message over WebSocket", async () => {
    const handlers = {
      fetch: async () => new Response("ok"),
      upgrade: (url: URL) => (url.pathname === "/ws" ? { messageBytesMax: 1 << 20, accept: echo } : undefined),
    };
    const { port } = await listening(network.listenHttp(local, handlers));
    const channel = await network.connect({ transport: "websocket", url: `ws://127.0.0.1:${port}/ws` });
    const chunks: number[] = [];
    const done = deferred<void>();
    channel.setSink({
      onData(chunk) {
        chunks.push(chunk.length);
        if (chunks.length === 2) done.resolve();
      },
      onDrain: () => undefined,
      onClose: () => undefined,
    });
    channel.write(new Uint8Array(10), new Uint8Array(100_000));
    channel.write(new Uint8Array(7));
    await done.promise;
    expect(chunks).toEqual([100_010, 7]);
    channel.close();
    await expect(network.connect({ transport: "websocket", url: `ws://127.0.0.1:${port}/other` })).rejects.toThrow(
      /ConnectFailed/,
    );
    expect(await (await fetch(`http://127.0.0.1:${port}/`)).text()).toBe("ok");
  });

  it("names the port that is in use", async () => {
    const { port } = await listening(network.listen(local, echo));
    await expect(network.listen({ host: "127.0.0.1", port }, echo)).rejects.toMatchObject({
      code: "AddressInUse",
      message: `AddressInUse: port ${port} on 127.0.0.1 is in use`,
    });
  });

  it("says when nothing listens, and gives up when aborted", async () => {
    const listener = await network.listen(local, echo);
    await listener.close();
    const address = { transport: "tcp", host: "127.0.0.1", port: listener.port } as const;
    await expect(network.connect(address)).rejects.toMatchObject({ code: "ConnectFailed" });
    await expect(network.connect(address, { signal: AbortSignal.abort() })).rejects.toMatchObject({ code: "Aborted" });
  });

  it("tells both sides of the end, also when the listener closes", async () => {
    const listener = await listening(network.listen(local, echo));
    const channel = await network.connect({ transport: "tcp", host: "127.0.0.1", port: listener.port });
    const closed = deferred<void>();
    channel.setSink({ onData: () => undefined, onDrain: () => undefined, onClose: () => closed.resolve() });
    await listener.close();
    await closed.promise;
    expect(channel.write(Uint8Array.of(1))).toBe(false);
  });
});
