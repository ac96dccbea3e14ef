import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { encodeEntryHead, encodeFrame, FrameDecoder, parseEntry, verifyChecksum } from "./index.ts";
import { COMMAND_NAMES, type Command } from "./messages.ts";

interface Vector {
  client: string;
  from: string;
  command: string;
  hex: string;
}

const vectors = JSON.parse(readFileSync(join(import.meta.dirname, "..", "vectors", "frames.json"), "utf8")) as Vector[];

interface Decoded {
  command: Command;
  entry: Uint8Array | undefined;
}

function decode(bytes: Uint8Array): Decoded {
  const frames: Decoded[] = [];
  new FrameDecoder({ onFrame: (command, entry) => frames.push({ command, entry }) }).push(bytes);
  expect(frames).toHaveLength(1);
  return frames[0] as Decoded;
}

function encode({ command, entry }: Decoded): Uint8Array {
  const head = encodeFrame(command, entry?.length ?? 0);
  return entry === undefined ? head : Buffer.concat([head, entry]);
}

/**
 * Protobuf lets a writer choose the order of fields. Java's writes them as they are declared, which in one message is
 * not the order of their numbers, the one that this codec and the C++ clients write.
 */
const DECLARED_ORDER = new Set(["java CONNECT"]);

/** The bytes of a frame regardless of their order. */
const sorted = (hex: string): string => [...Buffer.from(hex, "hex")].sort((a, b) => a - b).join();

describe("frames recorded from official clients and a real broker", () => {
  it("are many, of both clients and both directions", () => {
    expect(vectors.length).toBeGreaterThan(130);
    expect(new Set(vectors.map((v) => `${v.client} ${v.from}`)).size).toBe(4);
    expect(new Set(vectors.map((v) => v.command)).size).toBeGreaterThan(40);
  });

  it.each(vectors.map((v, i) => [i, v.command, v.from, v.client, v] as const))(
    "%i: %s from the %s of %s is decoded, and encoded again to the byte",
    (_i, command, _from, _client, vector) => {
      const bytes = Buffer.from(vector.hex, "hex");
      const decoded = decode(bytes);
      expect(COMMAND_NAMES[decoded.command.type]).toBe(command);
      const encoded = Buffer.from(encode(decoded)).toString("hex");
      if (!DECLARED_ORDER.has(`${vector.client} ${command}`)) expect(encoded).toBe(vector.hex);
      else {
        expect(sorted(encoded)).toBe(sorted(vector.hex));
        expect(decode(Buffer.from(encoded, "hex"))).toEqual(decoded);
      }
    },
  );

  it("carry entries whose checksum holds and whose metadata is encoded again to the byte", () => {
    const entries = vectors.map((v) => decode(Buffer.from(v.hex, "hex")).entry).filter((e) => e !== undefined);
    expect(entries.length).toBeGreaterThan(10);
    for (const entry of entries) {
      expect(verifyChecksum(entry)).toBe(true);
      const { metadata, payload } = parseEntry(entry);
      const head = encodeEntryHead(metadata, payload);
      const start = entry.length - payload.length - head.length;
      expect(Buffer.from(head).toString("hex")).toBe(
        Buffer.from(entry.subarray(start, start + head.length)).toString("hex"),
      );
    }
  });
});
