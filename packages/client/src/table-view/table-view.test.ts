import { CommandType } from "@pulsewire/protocol";
import { describe, expect, it } from "vitest";
import { type Fixture, isSettled, outcome, startFixture } from "../testing/fixture.ts";
import type { TableView } from "./table-view.ts";
import type { TableViewOptions } from "./table-view-options.ts";

interface WithView extends Fixture {
  view: TableView;
  put(key: string | undefined, value: string | null): Promise<void>;
  text(key: string): string | undefined;
}

/** A view of a topic that has the given messages, and a way to add to it. */
async function start(
  there: readonly [string, string][] = [],
  options: Partial<TableViewOptions> = {},
): Promise<WithView> {
  const fixture = await startFixture();
  const { broker, client, settle } = fixture;
  let entryId = 0;
  const deliver = (key: string | undefined, value: string | null): void => {
    const partitionKey = key === undefined ? {} : { partitionKey: key };
    const metadata = value === null ? { ...partitionKey, nullValue: true } : partitionKey;
    broker.deliver({ entryId: entryId++, texts: [value ?? ""], metadata });
  };
  broker.on(CommandType.GET_LAST_MESSAGE_ID, ({ requestId }, connection) => {
    const lastMessageId = { ledgerId: 1, entryId: Math.max(entryId, there.length) - 1 };
    connection.send({ type: CommandType.GET_LAST_MESSAGE_ID_RESPONSE, body: { requestId, lastMessageId } });
    return true;
  });
  const opening = client.createTableView({ topic: "t", ...options });
  await settle();
  for (const [key, value] of there) deliver(key, value);
  const view = await opening;
  const put = async (key: string | undefined, value: string | null): Promise<void> => {
    deliver(key, value);
    await settle();
  };
  const text = (key: string): string | undefined => {
    const value = view.get(key);
    return value === undefined ? undefined : new TextDecoder().decode(value);
  };
  return { ...fixture, view, put, text };
}

describe("a table view", () => {
  it("opens also where the last message of the topic cannot be read", async () => {
    const { client, broker, clock, settle } = await startFixture();
    broker.on(CommandType.GET_LAST_MESSAGE_ID, ({ requestId }, connection) => {
      const lastMessageId = { ledgerId: 1, entryId: 1 };
      connection.send({ type: CommandType.GET_LAST_MESSAGE_ID_RESPONSE, body: { requestId, lastMessageId } });
      return true;
    });
    const opening = client.createTableView({ topic: "t" });
    await settle();
    broker.deliver({ entryId: 0, texts: ["1"], metadata: { partitionKey: "a" } });
    await settle();
    broker.deliver({ entryId: 1, texts: ["2"], metadata: { partitionKey: "b" }, corrupt: true });
    await clock.advance(1000);
    expect([...(await opening).keys()]).toEqual(["a"]);
  });

  it("has the last value of each key when it opens, and follows what comes", async () => {
    const { view, put, text, broker } = await start([
      ["a", "1"],
      ["b", "2"],
      ["a", "3"],
    ]);
    expect([text("a"), text("b"), view.size, [...view.keys()]]).toEqual(["3", "2", 2, ["a", "b"]]);
    await put("c", "4");
    expect([text("c"), view.has("c"), view.has("d"), [...view].length]).toEqual(["4", true, false, 3]);
    expect(broker.of(CommandType.SUBSCRIBE)[0]?.readCompacted).toBe(true);
  });

  it("loses a key by a message without a payload, and passes over one without a key", async () => {
    const { view, put } = await start([
      ["a", "1"],
      ["b", "2"],
    ]);
    await put("a", null);
    await put("b", "");
    await put(undefined, "x");
    expect([view.size, view.has("a")]).toEqual([0, false]);
  });

  it("tells a listener of everything, once, and of what is removed", async () => {
    const { view, put } = await start([["a", "1"]]);
    const told: [string, string | undefined][] = [];
    const late: string[] = [];
    const note = (key: string, value: Uint8Array | undefined): void =>
      void told.push([key, value && new TextDecoder().decode(value)]);
    view.listen(() => {
      throw new Error("on purpose");
    });
    const end = view.forEachAndListen(note);
    view.listen((key) => void late.push(key));
    await put("b", "2");
    await put("a", null);
    end();
    await put("c", "3");
    expect(told).toEqual([
      ["a", "1"],
      ["b", "2"],
      ["a", undefined],
    ]);
    expect(late).toEqual(["b", "a", "c"]);
    const all: string[] = [];
    view.forEach((key) => void all.push(key));
    expect(all).toEqual(["b", "c"]);
    expect(() => view.listen(5 as never)).toThrow("InvalidConfiguration");
  });

  it("is refreshed when it has read what the topic had when it was asked", async () => {
    const { view, put, broker, settle, text } = await start([["a", "1"]]);
    await view.refresh();
    broker.on(CommandType.GET_LAST_MESSAGE_ID, ({ requestId }, connection) => {
      const lastMessageId = { ledgerId: 1, entryId: 2 };
      connection.send({ type: CommandType.GET_LAST_MESSAGE_ID_RESPONSE, body: { requestId, lastMessageId } });
      return true;
    });
    const refreshed = view.refresh();
    await put("a", "2");
    expect(await isSettled(refreshed)).toBe(false);
    await put("a", "3");
    await settle();
    await refreshed;
    expect(text("a")).toBe("3");
  });

  it("is refreshed also where the last message of the topic cannot be read", async () => {
    const { view, put, broker, clock } = await start([["a", "1"]]);
    broker.on(CommandType.GET_LAST_MESSAGE_ID, ({ requestId }, connection) => {
      const lastMessageId = { ledgerId: 1, entryId: 2 };
      connection.send({ type: CommandType.GET_LAST_MESSAGE_ID_RESPONSE, body: { requestId, lastMessageId } });
      return true;
    });
    const refreshed = view.refresh();
    await put("b", "2");
    await clock.advance(1000);
    expect(await isSettled(refreshed)).toBe(false);
    broker.deliver({ entryId: 2, texts: ["3"], metadata: { partitionKey: "c" }, corrupt: true });
    await clock.advance(1000);
    await refreshed;
    expect([...view.keys()]).toEqual(["a", "b"]);
    // one that is asked for when the message has been passed over is not kept waiting for ever either
    const again = view.refresh();
    await clock.advance(1000);
    await again;
  });

  it("rejects a refresh that is under way when it is closed, and later ones; its values stay", async () => {
    const { view, broker, settle, client } = await start([["a", "1"]]);
    broker.on(CommandType.GET_LAST_MESSAGE_ID, ({ requestId }, connection) => {
      const lastMessageId = { ledgerId: 9, entryId: 9 };
      connection.send({ type: CommandType.GET_LAST_MESSAGE_ID_RESPONSE, body: { requestId, lastMessageId } });
      return true;
    });
    const refreshing = outcome(view.refresh());
    await settle();
    await Promise.all([view.close(), view.close()]);
    expect([await refreshing, await outcome(view.refresh()), view.size]).toEqual(["AlreadyClosed", "AlreadyClosed", 1]);
    await client.close();
  });

  it("ends with its client", async () => {
    const { view, client, clock } = await start([["a", "1"]]);
    await client.close();
    expect(await outcome(view.refresh())).toBe("AlreadyClosed");
    expect(clock.pendingTimers).toBe(0);
  });

  it("keeps no batch alive for a value of bytes", async () => {
    const { view } = await start([["a", "1"]]);
    expect(view.get("a")?.buffer.byteLength).toBe(1);
  });

  it.each([
    ["did you mean topic?", { topc: "x" }],
    ["readCompacted", { readCompacted: 5 }],
    ["topic", { topic: "" }],
  ])("with a wrong option is refused by its name: %s", async (name, options) => {
    const { client } = await startFixture();
    await expect(client.createTableView({ topic: "t", ...options } as never)).rejects.toThrow(name);
    await expect(client.createTableView("t" as never)).rejects.toThrow("a table view takes options");
  });
});
