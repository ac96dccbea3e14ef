import { ManualClock, type Messenger } from "@pulsewire/runtime";
import { expect, it } from "vitest";
import type { BookieRequest } from "../wire/messages.ts";
import { BookieLink } from "./bookie-link.ts";

it("an answer to the client that had the name before is none of this one's", async () => {
  const clock = new ManualClock();
  const sent: BookieRequest[] = [];
  const messenger = { send: (_from: string, _to: string, message: BookieRequest) => void sent.push(message) };
  const start = (): BookieLink =>
    new BookieLink("bookie", {
      clock,
      messenger: messenger as unknown as Messenger,
      self: "broker",
      requestTimeoutMs: 5_000,
      quarantineMs: 0,
      speculativeReadTimeoutMs: 0,
      speculativeWriteTimeoutMs: 0,
      statistics: { speculativeReads: 0, speculativeWrites: 0, repairedEntries: 0 },
    });
  const ask = (link: BookieLink): Promise<unknown> =>
    link.call((requestId) => ({ type: "read-lac", requestId, ledgerId: 1, fence: false }) as unknown as BookieRequest);
  const before = start();
  for (let i = 0; i < 1_000; i++) void ask(before);
  // the process dies, and another starts under its name
  await clock.advance(1);
  const after = start();
  const asked = ask(after);
  const late = { type: "lac", requestId: 0, ledgerId: 1, code: "Ok", lac: 7 };
  for (const { requestId } of sent.slice(0, -1)) after.receive({ ...late, requestId } as never);
  expect(after.inFlight).toBe(1);
  const own = { ...late, lac: 8, requestId: sent.at(-1)?.requestId };
  after.receive(own as never);
  expect(await asked).toBe(own);
});
