import { CommandType } from "@pulsewire/protocol";
import { lastValueFrom, NEVER, take, toArray } from "rxjs";
import { describe, expect, it, vi } from "vitest";
import type { Message } from "../message.ts";
import { MessageId } from "../message-id.ts";
import { acknowledged, consumerOf, deferred, deliver, fixture, open, permits } from "../testing/rxjs-fixture.ts";
import { acknowledging, messages$ } from "./index.ts";

describe("acknowledging", () => {
  it("acknowledges what succeeded, negatively acknowledges what failed, and goes on", async () => {
    const consumer = await consumerOf({ acknowledgmentGroupTimeMs: 0 });
    const nack = vi.spyOn(consumer, "negativeAcknowledge");
    const errors: string[] = [];
    const out: string[] = [];
    messages$(consumer)
      .pipe(
        acknowledging(
          async (m: Message) => {
            if (m.text() === "bad") throw new Error("no good");
            return m.text().toUpperCase();
          },
          { onError: (error, m) => errors.push(`${m.text()}: ${(error as Error).message}`) },
        ),
      )
      .subscribe((text) => out.push(text));
    deliver(["a", "bad", "c"]);
    await fixture.settle();
    expect(out).toEqual(["A", "C"]);
    expect(errors).toEqual(["bad: no good"]);
    expect(acknowledged()).toEqual([0, 2]);
    expect(nack.mock.calls.map(([m]) => (m as Message).text())).toEqual(["bad"]);
  });

  it("treats a function that throws, or gives nothing back, as it treats promises", async () => {
    const consumer = await consumerOf({ acknowledgmentGroupTimeMs: 0 });
    const nack = vi.spyOn(consumer, "negativeAcknowledge");
    messages$(consumer)
      .pipe(
        acknowledging<never>((m) => {
          if (m.text() === "bad") throw new Error("thrown");
        }),
      )
      .subscribe();
    deliver(["bad", "good"]);
    await fixture.settle();
    expect(acknowledged()).toEqual([1]);
    expect(nack).toHaveBeenCalledTimes(1);
  });

  it("takes a function that gives a plain value for one that failed, and says what it takes", async () => {
    const consumer = await consumerOf({ acknowledgmentGroupTimeMs: 0 });
    const errors: string[] = [];
    const work = ((m: Message) => (m.text() === "good" ? undefined : m.text() === "5" ? 5 : m.text())) as never;
    messages$(consumer)
      .pipe(acknowledging(work, { onError: (error) => errors.push(String(error)) }))
      .subscribe();
    deliver(["5", "text", "good"]);
    await fixture.settle();
    expect(errors.length).toBe(2);
    expect(errors[0]).toMatch(/InvalidConfiguration: acknowledging takes .* promise or an observable, not 5/);
    expect(acknowledged()).toEqual([2]);
  });

  it("has acknowledged the last message that a subscriber takes, and acknowledges what was begun when it left", async () => {
    const consumer = await consumerOf({ acknowledgmentGroupTimeMs: 0 });
    const gate = deferred();
    const one = messages$(consumer).pipe(
      acknowledging(
        async (m) => {
          if (m.text() === "slow") await gate.promise;
          return m.text();
        },
        { concurrency: 2 },
      ),
      take(1),
    );
    const first = lastValueFrom(one);
    deliver(["slow", "quick"]);
    expect(await first).toBe("quick");
    await fixture.settle();
    expect(acknowledged()).toEqual([1]);
    gate.resolve();
    await fixture.settle();
    expect(acknowledged()).toEqual([0, 1]);
  });

  it("leaves a message unacknowledged whose observable was unsubscribed from", async () => {
    const consumer = await consumerOf({ acknowledgmentGroupTimeMs: 0 });
    const subscription = messages$(consumer)
      .pipe(acknowledging(() => NEVER))
      .subscribe();
    deliver(["a"]);
    await fixture.settle();
    subscription.unsubscribe();
    await fixture.settle();
    expect(acknowledged()).toEqual([]);
  });

  it("gives back what it has not begun with when its subscriber leaves: that comes next, in order, and permits add up", async () => {
    const consumer = await consumerOf({ type: "Exclusive", receiverQueueSize: 20, acknowledgmentGroupTimeMs: 0 });
    deliver(Array.from({ length: 20 }, (_, i) => `m${i}`));
    const three = messages$(consumer).pipe(
      acknowledging(async (m) => m.text()),
      take(3),
      toArray(),
    );
    expect(await lastValueFrom(three)).toEqual(["m0", "m1", "m2"]);
    await fixture.settle();
    expect(consumer.queuedMessages).toBe(17);
    const rest: string[] = [];
    while (rest.length < 17) rest.push((await consumer.receive()).text());
    expect(rest).toEqual(Array.from({ length: 17 }, (_, i) => `m${i + 3}`));
    expect(acknowledged()).toEqual([0, 1, 2]);
    // what was taken twice is granted once
    expect(permits()).toBe(40);
  });

  it("gives back by key, what an observable was cut off at too, and to a receive that waits", async () => {
    const consumer = await consumerOf();
    const running = messages$(consumer)
      .pipe(acknowledging(() => NEVER, { order: "key" }))
      .subscribe();
    const [x, y] = [{ partitionKey: "x" }, { partitionKey: "y" }];
    deliver(["x1", "y1", "x2", "y2"], [x, y, x, y]);
    await fixture.settle();
    const waiting = consumer.receive();
    running.unsubscribe();
    expect((await waiting).text()).toBe("x1");
    await fixture.settle();
    const rest = [await consumer.receive(), await consumer.receive(), await consumer.receive()];
    expect(rest.map((m) => m.text())).toEqual(["y1", "x2", "y2"]);
  });

  it("gives back nothing that the broker delivers again by itself", async () => {
    const consumer = await consumerOf();
    const running = messages$(consumer)
      .pipe(acknowledging(() => NEVER))
      .subscribe();
    deliver(["a", "b"]);
    await fixture.settle();
    consumer.redeliverUnacknowledgedMessages();
    running.unsubscribe();
    await fixture.settle();
    expect(consumer.queuedMessages).toBe(0);
  });

  it("gives back to a reader, which goes on there after its connection was lost", async () => {
    await open();
    const reader = await fixture.client.createReader({ topic: "t", startMessageId: MessageId.earliest });
    const running = messages$(reader)
      .pipe(acknowledging(() => NEVER))
      .subscribe();
    deliver(["a", "b", "c"]);
    await fixture.settle();
    running.unsubscribe();
    await fixture.settle();
    expect((await reader.readNext()).text()).toBe("a");
    fixture.broker.connection.drop();
    await fixture.clock.advance(1000);
    const again = fixture.broker.of(CommandType.SUBSCRIBE).at(-1)?.startMessageId;
    expect([again?.ledgerId, again?.entryId]).toEqual([1, 0]);
  });

  it("ends with the first failure where it is told to", async () => {
    const consumer = await consumerOf();
    const running = lastValueFrom(
      messages$(consumer).pipe(acknowledging(() => Promise.reject(new Error("enough")), { stopOnError: true })),
    );
    deliver(["a"]);
    await expect(running).rejects.toThrow("enough");
  });

  it("works on one message at a time by default, and on as many as it is told", async () => {
    const consumer = await consumerOf();
    const gates = Array.from({ length: 6 }, deferred);
    const started: string[] = [];
    messages$(consumer)
      .pipe(
        acknowledging(
          (m) => {
            started.push(m.text());
            return gates[started.length - 1]?.promise;
          },
          { concurrency: 2 },
        ),
      )
      .subscribe();
    deliver(["a", "b", "c"]);
    await fixture.settle();
    expect(started).toEqual(["a", "b"]);
    gates[0]?.resolve();
    await fixture.settle();
    expect(started).toEqual(["a", "b", "c"]);
  });

  it("keeps the order of each key while others run beside it", async () => {
    const consumer = await consumerOf();
    const gates = new Map<string, ReturnType<typeof deferred>>();
    const started: string[] = [];
    messages$(consumer)
      .pipe(
        acknowledging(
          (m) => {
            started.push(m.text());
            const gate = deferred();
            gates.set(m.text(), gate);
            return gate.promise;
          },
          { concurrency: 8, order: "key" },
        ),
      )
      .subscribe();
    const [x, y] = [{ partitionKey: "x" }, { partitionKey: "y" }];
    deliver(["x1", "x2", "y1", "x3", "free1", "free2"], [x, x, y, x, {}, {}]);
    await fixture.settle();
    expect(started).toEqual(["x1", "y1", "free1", "free2"]);
    gates.get("x1")?.reject(new Error("a failure does not hold its key up"));
    await fixture.settle();
    expect(started.at(-1)).toBe("x2");
    expect(started).not.toContain("x3");
  });

  it("leaves alone what the application has settled itself", async () => {
    const consumer = await consumerOf({ acknowledgmentGroupTimeMs: 0 });
    const nack = vi.spyOn(consumer, "negativeAcknowledge");
    messages$(consumer)
      .pipe(
        acknowledging<never>((_, delivery) => {
          delivery.negativeAcknowledge();
        }),
      )
      .subscribe();
    deliver(["a"]);
    await fixture.settle();
    expect(nack).toHaveBeenCalledTimes(1);
    expect(acknowledged()).toEqual([]);
  });

  it("keeps the queue bounded behind work that never ends", async () => {
    const consumer = await consumerOf({ receiverQueueSize: 10 });
    messages$(consumer, { maxInFlight: 3 })
      .pipe(acknowledging(() => NEVER))
      .subscribe();
    deliver(Array.from({ length: 10 }, (_, i) => `m${i}`));
    await fixture.settle();
    expect(consumer.queuedMessages).toBe(7);
    expect(permits()).toBe(10);
  });
});
