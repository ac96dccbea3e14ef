import { acknowledging, messages$, sendTo } from "@pulsewire/client/rxjs";
import { from, lastValueFrom, take, toArray } from "rxjs";
import { adminPath, type Case, check, equal, numbers, sleep, sorted, until } from "./kit.ts";

interface Stats {
  subscriptions: Record<string, { msgBacklog: number; consumers: { unackedMessages: number }[] }>;
}

export const RXJS: readonly Case[] = [
  {
    name: "rxjs: sent, received, acknowledged; what failed comes again",
    async run({ client, topic, admin }) {
      const t = topic("rxjs");
      const consumer = await client.subscribe({
        topic: t,
        subscription: "s",
        type: "Shared",
        negativeAckRedeliveryDelayMs: 100,
      });
      const producer = await client.createProducer({ topic: t });
      const ids = await lastValueFrom(from(numbers(0, 100)).pipe(sendTo(producer, { maxInFlight: 10 }), toArray()));
      equal(new Set(ids.map(String)).size, 100, "ids");
      const failed = new Set<string>();
      const done = messages$(consumer).pipe(
        acknowledging(
          async (m) => {
            if (Number(m.text()) % 10 === 0 && !failed.has(m.text())) {
              failed.add(m.text());
              throw new Error("the first time");
            }
            return m.text();
          },
          { concurrency: 5 },
        ),
        take(100),
        toArray(),
      );
      equal(sorted(await lastValueFrom(done)), sorted(numbers(0, 100)), "all come");
      equal(failed.size, 10, "ten failed once");
      await until("everything acknowledged", 20_000, async () => {
        const stats = (await admin("GET", `${adminPath(t)}/stats`)) as Stats;
        return stats.subscriptions.s?.msgBacklog === 0;
      });
    },
  },
  {
    name: "rxjs: a subscriber slower than the topic has a bounded queue",
    async run({ client, topic, admin }) {
      const t = topic("rxjs-slow");
      const consumer = await client.subscribe({ topic: t, subscription: "s", receiverQueueSize: 50 });
      const producer = await client.createProducer({ topic: t, batchingEnabled: false, maxPendingMessages: 5000 });
      let worked = 0;
      const slow = acknowledging(async () => {
        await sleep(5);
        worked++;
      });
      const subscription = messages$(consumer, { maxInFlight: 20 }).pipe(slow).subscribe();
      await lastValueFrom(from(numbers(0, 2000)).pipe(sendTo(producer)));
      check(consumer.queuedMessages <= 50, `${consumer.queuedMessages} queued`);
      // statistics are as of a moment ago: what is acknowledged meanwhile may not be counted yet
      const stats = (await admin("GET", `${adminPath(t)}/stats`)) as Stats;
      const unacked = stats.subscriptions.s?.consumers[0]?.unackedMessages ?? 0;
      check(unacked <= 50 + 20 + worked, `${unacked} on their way`);
      const before = worked;
      await until("it goes on", 20_000, () => worked >= before + 50);
      subscription.unsubscribe();
    },
  },
  {
    name: "rxjs: order of keys",
    async run({ client, topic }) {
      const t = topic("rxjs-keys");
      const consumer = await client.subscribe({ topic: t, subscription: "s", type: "Key_Shared" });
      const producer = await client.createProducer({ topic: t, batchingType: "KeyBased" });
      const sends = numbers(0, 60).map((data, i) => ({ data, key: `k${i % 3}` }));
      await lastValueFrom(from(sends).pipe(sendTo(producer)));
      const byKey = new Map<string, number[]>();
      const working = messages$(consumer).pipe(
        acknowledging(
          async (m) => {
            await sleep(Number(m.text()) % 7);
            const list = byKey.get(m.key as string) ?? [];
            byKey.set(m.key as string, [...list, Number(m.text())]);
            return 1;
          },
          { concurrency: 8, order: "key" },
        ),
        take(60),
        toArray(),
      );
      await lastValueFrom(working);
      for (const [key, list] of byKey)
        equal(
          list,
          [...list].sort((a, b) => a - b),
          `order of ${key}`,
        );
    },
  },
];
