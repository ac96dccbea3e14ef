import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { CommandType, encodeEntry, encodeFrame, FrameDecoder, type FrameDecoderOptions } from "./index.ts";
import type { Command } from "./messages.ts";

function concat(...parts: Uint8Array[]): Uint8Array {
  const all = new Uint8Array(parts.reduce((n, p) => n + p.length, 0));
  let offset = 0;
  for (const part of parts) {
    all.set(part, offset);
    offset += part.length;
  }
  return all;
}

interface Seen {
  command: Command;
  entry: Uint8Array | undefined;
}

function decoder(options?: FrameDecoderOptions): { decoder: FrameDecoder; seen: Seen[] } {
  const seen: Seen[] = [];
  return { decoder: new FrameDecoder({ onFrame: (command, entry) => seen.push({ command, entry }) }, options), seen };
}

const entry = encodeEntry({ producerName: "p", sequenceId: 7, publishTime: 1 }, new Uint8Array(300).fill(5));
const send: Command = { type: CommandType.SEND, body: { producerId: 1, sequenceId: 7 } };
const stream = concat(
  encodeFrame({ type: CommandType.PING, body: {} }),
  encodeFrame(send, entry.length),
  entry,
  encodeFrame({ type: CommandType.FLOW, body: { consumerId: 3, messagePermits: 1000 } }),
);

function expectWhole(seen: readonly Seen[]): void {
  expect(seen.map((s) => s.command.type)).toEqual([CommandType.PING, CommandType.SEND, CommandType.FLOW]);
  expect(seen[0]?.entry).toBeUndefined();
  expect(Array.from(seen[1]?.entry ?? [])).toEqual(Array.from(entry));
  expect(seen[2]?.command.body).toMatchObject({ consumerId: 3, messagePermits: 1000 });
}

describe("frame decoder", () => {
  it("cuts a stream that comes in one piece, without copying the entry", () => {
    const { decoder: d, seen } = decoder();
    d.push(stream);
    expectWhole(seen);
    expect(seen[1]?.entry?.buffer).toBe(stream.buffer);
  });

  it("cuts the same frames however the stream is split", () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 60 }), { minLength: 1 }), (sizes) => {
        const { decoder: d, seen } = decoder();
        let offset = 0;
        for (let i = 0; offset < stream.length; i++) {
          const size = sizes[i % sizes.length] as number;
          d.push(stream.slice(offset, offset + size));
          offset += size;
        }
        expectWhole(seen);
        expect(d.bufferedBytes).toBe(0);
      }),
    );
  });

  it("refuses a frame over the limit before it has come", () => {
    const { decoder: d } = decoder({ frameSizeBytesMax: 100 });
    expect(() => d.push(Uint8Array.of(0, 0, 0, 101))).toThrow(/FrameTooLarge/);
  });

  it("holds no more than came when a length lies", () => {
    const { decoder: d, seen } = decoder();
    d.push(Uint8Array.of(0, 0x4f, 0, 0, 1, 2, 3));
    expect(d.bufferedBytes).toBe(7);
    expect(seen).toEqual([]);
  });

  it.each([
    ["a total size of 0", [0, 0, 0, 0]],
    ["a command longer than its frame", [0, 0, 0, 5, 0, 0, 0, 9, 8]],
    ["a truncated command", [0, 0, 0, 6, 0, 0, 0, 2, 8, 0x92]],
    ["an unknown command type", [0, 0, 0, 7, 0, 0, 0, 3, 8, 0xc8, 0x01]],
    ["a type without its body", [0, 0, 0, 6, 0, 0, 0, 2, 8, 18]],
    ["a body of another type", [0, 0, 0, 9, 0, 0, 0, 5, 8, 18, 0x9a, 0x01, 0]],
    ["a required field that is missing", [0, 0, 0, 8, 0, 0, 0, 4, 8, 11, 0x5a, 0]],
  ])("refuses %s", (_what, bytes) => {
    const { decoder: d, seen } = decoder();
    expect(() => d.push(Uint8Array.from(bytes))).toThrow(expect.objectContaining({ name: "ProtocolError" }));
    expect(seen).toEqual([]);
  });

  it("answers any bytes with frames or a ProtocolError, and keeps no more than it was given", () => {
    fc.assert(
      fc.property(fc.array(fc.uint8Array({ maxLength: 80 }), { maxLength: 8 }), (chunks) => {
        const { decoder: d } = decoder({ frameSizeBytesMax: 4096 });
        let given = 0;
        try {
          for (const chunk of chunks) {
            d.push(chunk);
            given += chunk.length;
            expect(d.bufferedBytes).toBeLessThanOrEqual(given);
          }
        } catch (error) {
          expect(error).toMatchObject({ name: "ProtocolError" });
        }
      }),
      { numRuns: 500 },
    );
  });

  it("answers a valid stream with bytes flipped with frames or a ProtocolError", () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.nat(stream.length - 1), fc.nat(255)), { minLength: 1, maxLength: 5 }),
        (flips) => {
          const broken = stream.slice();
          for (const [at, value] of flips) broken[at] = value;
          try {
            decoder().decoder.push(broken);
          } catch (error) {
            expect(error).toMatchObject({ name: "ProtocolError" });
          }
        },
      ),
      { numRuns: 500 },
    );
  });
});
