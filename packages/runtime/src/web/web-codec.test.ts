import { constants, deflateSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import type { Codec } from "../codec.ts";
import { createNodeCodec } from "../node/node-codec.ts";
import { createWebCodec } from "./web-codec.ts";

const codecs: Record<"node" | "web", Codec> = { node: createNodeCodec(), web: createWebCodec() };
const bytes = new TextEncoder().encode("a payload that repeats itself, ".repeat(3000));
const plain = (view: Uint8Array): Uint8Array => new Uint8Array(view);
const attempt = async (codec: Codec, body: Uint8Array, size: number): Promise<Uint8Array> =>
  codec.decompress("ZLIB", body, size);

describe.each(["node", "web"] as const)("the codec of %s", (name) => {
  const codec = codecs[name];
  const other = codecs[name === "node" ? "web" : "node"];

  it.each([...codec.compressions])("compresses what the other platform uncompresses: %s", async (type) => {
    for (const input of [bytes, bytes.subarray(0, 1), bytes.subarray(0, 0)]) {
      const compressed = await codec.compress(type, input);
      const back = plain(await other.decompress(type, compressed, input.length));
      expect(back.length).toBe(input.length);
      expect(back.every((byte, i) => byte === input[i])).toBe(true);
    }
    expect((await codec.compress(type, bytes)).length).toBeLessThan(type === "NONE" ? bytes.length + 1 : 10_000);
  });

  it("uncompresses a ZLIB stream that was flushed and not ended", async () => {
    const flushed = deflateSync(bytes, { finishFlush: constants.Z_SYNC_FLUSH });
    expect([...flushed.subarray(-4)]).toEqual([0, 0, 255, 255]);
    expect(plain(await attempt(codec, flushed, bytes.length)).length).toBe(bytes.length);
  });

  it("refuses a ZLIB stream that is cut, changed, or of another size than announced", async () => {
    const good = deflateSync(bytes);
    await expect(attempt(codec, good.subarray(0, good.length - 40), bytes.length)).rejects.toThrow();
    await expect(attempt(codec, good, bytes.length - 1)).rejects.toThrow();
    await expect(attempt(codec, good, bytes.length + 1)).rejects.toThrow();
    await expect(attempt(codec, good.subarray(4), bytes.length)).rejects.toThrow();
  });
});
