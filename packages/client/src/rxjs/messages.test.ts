import { CommandType } from "@pulsewire/protocol";
import { lastValueFrom, take, toArray } from "rxjs";
import { describe, expect, it } from "vitest";
import type { Consumer } from "../consuming/consumer.ts";
import { consumerOf, deliver, fixture, open, permits } from "../testing/rxjs-fixture.ts";
import { type Delivery, messages$ } from "./index.ts";

describe("messages$", () => {
  it("emits what the consumer receives, in order, and completes when it is closed", async () => {
    const consumer = await consumerOf();
    const all = lastValueFrom(messages$(consumer).pipe(toArray()));
    deliver(["a", "b", "c"]);
    await fixture.settle();
    await consumer.close();
    expect((await all).map((d) => d.message.text())).toEqual(["a", "b", "c"]);
  });

  it("emits no more than maxInFlight unsettled deliveries: a slow subscriber leaves the queue full and the broker waiting", async () => {
    const consumer = await consumerOf({ receiverQueueSize: 10 });
    const got: Delivery[] = [];
    messages$(consumer, { maxInFlight: 4 }).subscribe((d) => got.push(d));
    deliver(Array.from({ length: 10 }, (_, i) => `m${i}`));
    await fixture.settle();
    expect(got).toHaveLength(4);
    expect(consumer.queuedMessages).toBe(6);
    expect(permits()).toBe(10);
    for (const d of got.slice(0, 4)) d.release();
    await fixture.settle();
    expect(got).toHaveLength(8);
    expect(consumer.queuedMessages).toBe(2);
    expect(permits()).toBeGreaterThan(10);
  });

  it("leaves the consumer open when its subscriber leaves, and the rest of its messages in the queue", async () => {
    const consumer = await consumerOf();
    const first = lastValueFrom(messages$(consumer).pipe(take(2), toArray()));
    deliver(["a", "b", "c"]);
    expect((await first).map((d) => d.message.text())).toEqual(["a", "b"]);
    expect((await consumer.receive()).text()).toBe("c");
  });

  it("takes back its receive when its subscriber leaves: the next message is somebody else's", async () => {
    const consumer = await consumerOf();
    messages$(consumer).subscribe().unsubscribe();
    const subscription = messages$(consumer).subscribe();
    await fixture.settle();
    subscription.unsubscribe();
    await fixture.settle();
    const receiving = consumer.receive();
    deliver(["a"]);
    expect((await receiving).text()).toBe("a");
  });

  it("opens a consumer of its own for a client and options, and closes it when its subscriber leaves", async () => {
    await open();
    const got: string[] = [];
    const subscription = messages$(fixture.client, { topic: "t", subscription: "s" }).subscribe((d) =>
      got.push(d.message.text()),
    );
    await fixture.settle();
    deliver(["a"]);
    await fixture.settle();
    expect(got).toEqual(["a"]);
    subscription.unsubscribe();
    await fixture.settle();
    expect(fixture.broker.types).toContain(CommandType.CLOSE_CONSUMER);
  });

  it("errors with what subscribing rejects with", async () => {
    await open();
    fixture.broker.refuse(CommandType.SUBSCRIBE, 5);
    const failing = lastValueFrom(messages$(fixture.client, { topic: "t", subscription: "s" }));
    await expect(failing).rejects.toMatchObject({ code: "ConsumerBusy" });
  });

  it("refuses what is neither consumer, reader nor client, and options that are none", async () => {
    const consumer = await consumerOf();
    expect(() => messages$(null as unknown as Consumer)).toThrow(/InvalidConfiguration: messages\$ takes/);
    expect(() => messages$({} as Consumer)).toThrow(/InvalidConfiguration: messages\$ takes/);
    expect(() => messages$(consumer, { maxInFlight: 0 })).toThrow(/maxInFlight takes a whole number/);
  });
});
