import { adminPath, type Case, check, equal, until } from "./kit.ts";

const text = (bytes: Uint8Array | undefined): string | undefined => bytes && new TextDecoder().decode(bytes);

export const TABLE_VIEWS: readonly Case[] = [
  {
    name: "table view: last values, tombstones, listener, refresh; alone, batched, over partitions",
    async run({ client, topic, admin }) {
      for (const [batchingEnabled, partitions] of [
        [false, 0],
        [true, 0],
        [true, 3],
      ] as const) {
        const t = topic(`view${batchingEnabled}${partitions}`);
        if (partitions > 0) await admin("PUT", `${adminPath(t)}/partitions`, partitions);
        const producer = await client.createProducer({ topic: t, batchingEnabled, batchingMaxPublishDelayMs: 20 });
        const put = (key: string, data: string | null): Promise<unknown> => producer.send({ key, data });
        await Promise.all([put("a", "1"), put("b", "2"), put("a", "3"), put("c", "4")]);
        const view = await client.createTableView({ topic: t });
        const state = (): unknown => [...view].map(([k, v]) => `${k}=${text(v)}`).sort();
        equal(state(), ["a=3", "b=2", "c=4"], "at first");
        const told: string[] = [];
        view.forEachAndListen((key, value) => void told.push(`${key}=${text(value)}`));
        await Promise.all([put("b", null), put("d", "5"), producer.send("without a key")]);
        await view.refresh();
        equal(state(), ["a=3", "c=4", "d=5"], "after a tombstone");
        equal(told.sort(), ["a=3", "b=2", "b=undefined", "c=4", "d=5"], "told");
        await view.refresh();
        await view.close();
      }
    },
  },
  {
    name: "table view: goes on over an unload and with a partition that is added",
    async run({ client, topic, admin }) {
      const t = topic("viewmoves");
      await admin("PUT", `${adminPath(t)}/partitions`, 1);
      const view = await client.createTableView({ topic: t, autoUpdatePartitionsIntervalMs: 300 });
      equal(view.size, 0, "of an empty topic");
      const producer = await client.createProducer({ topic: t });
      await producer.send({ key: "a", data: "1" });
      await view.refresh();
      await admin("PUT", `${adminPath(t)}/unload`);
      await producer.send({ key: "b", data: "2" });
      await until("what came after the unload", 20_000, () => text(view.get("b")) === "2");
      await admin("POST", `${adminPath(t)}/partitions`, 2);
      const second = await client.createProducer({ topic: t, messageRouter: () => 1 });
      await second.send({ key: "c", data: "3" });
      await until("what came to the new partition", 20_000, () => view.has("c"));
      check(view.size === 3, `${view.size} keys`);
    },
  },
];
