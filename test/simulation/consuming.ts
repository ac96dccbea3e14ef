import { type Consumer, type Message, MessageId, PulsarError, type Reader } from "@pulsewire/client";
import { type History, placeOf, type Seen, seenOf } from "./history.ts";
import type { ConsumerPlan } from "./plan.ts";
import { type Ports, sleep } from "./producing.ts";

/** How long one receive waits before the worker looks whether it is to go on. */
const RECEIVE_MS = 2_000;

/** Consumes until it is stopped: works on messages, acknowledges them or not, closes and opens again. */
export class ConsumingWorker {
  readonly #plan: ConsumerPlan;
  readonly #ports: Ports;
  readonly #history: History;
  #stopped = false;

  constructor(plan: ConsumerPlan, ports: Ports, history: History) {
    this.#plan = plan;
    this.#ports = ports;
    this.#history = history;
  }

  stop(): void {
    this.#stopped = true;
  }

  /** @param opened Called when it is subscribed for the first time. */
  async run(opened: () => void): Promise<void> {
    const { clock, note } = this.#ports;
    while (!this.#stopped) {
      try {
        const openedMs = clock.monotonicMs();
        const consumer = await this.#subscribe();
        opened();
        await this.#consume(consumer, openedMs);
        await consumer.close();
      } catch (error) {
        note(`${this.#plan.name}: ${String(error)}`);
        await sleep(clock, 500);
      }
    }
  }

  #subscribe(): Promise<Consumer> {
    const { topic, subscription, type, name, receipts, receiverQueueSize, acknowledgmentGroupTimeMs } = this.#plan;
    return this.#ports.client.subscribe({
      topic,
      subscription,
      type,
      consumerName: name,
      initialPosition: "Earliest",
      ackReceiptEnabled: receipts,
      receiverQueueSize,
      acknowledgmentGroupTimeMs,
      negativeAckRedeliveryDelayMs: 1_000,
    });
  }

  async #consume(consumer: Consumer, openedMs: number): Promise<void> {
    const { clock, random } = this.#ports;
    const { lifeMs, workMsMax } = this.#plan;
    const endMs = lifeMs > 0 ? clock.monotonicMs() + random.float() * 2 * lifeMs : Number.POSITIVE_INFINITY;
    while (!this.#stopped && clock.monotonicMs() < endMs) {
      const message = await receive(consumer);
      if (message === undefined) continue;
      const { topic, subscription, name } = this.#plan;
      const seen = seenOf(topic, message, clock.monotonicMs());
      this.#history.delivered.push({ ...seen, subscription, consumer: name, openedMs });
      if (workMsMax > 0) await sleep(clock, random.float() * workMsMax);
      this.#settle(consumer, message);
    }
  }

  #settle(consumer: Consumer, message: Message): void {
    const { random, note } = this.#ports;
    const { nackProbability, cumulativeProbability, name } = this.#plan;
    if (random.float() < nackProbability) {
      consumer.negativeAcknowledge(message);
      return;
    }
    const cumulative = random.float() < cumulativeProbability;
    const acknowledging = cumulative ? consumer.acknowledgeCumulative(message) : consumer.acknowledge(message);
    acknowledging.then(
      () => this.#confirmed(message),
      (error: unknown) => note(`${name}: acknowledging ${message.text()}: ${String(error)}`),
    );
  }

  #confirmed(message: Message): void {
    const { receipts, topic, subscription } = this.#plan;
    if (!receipts) return;
    const atMs = this.#ports.clock.monotonicMs();
    this.#history.receipts.push({ topic, subscription, place: placeOf(message.messageId), atMs });
  }
}

/** Follows a topic by a reader, from its start, and keeps what it sees. */
export class FollowingWorker {
  readonly seen: Seen[] = [];
  readonly #topic: string;
  readonly #ports: Ports;
  #stopped = false;

  constructor(topic: string, ports: Ports) {
    this.#topic = topic;
    this.#ports = ports;
  }

  stop(): void {
    this.#stopped = true;
  }

  async run(): Promise<void> {
    const { clock } = this.#ports;
    const reader = await this.#open();
    while (reader !== undefined && !this.#stopped) {
      const message = await receive({ receive: (timeoutMs) => reader.readNext(timeoutMs) });
      if (message !== undefined) this.seen.push(seenOf(this.#topic, message, clock.monotonicMs()));
    }
    await reader?.close();
  }

  /** Until it works, or is not wanted any more: what is wrong may last longer than a client tries. */
  async #open(): Promise<Reader | undefined> {
    const { client, clock, note } = this.#ports;
    while (!this.#stopped) {
      try {
        return await client.createReader({ topic: this.#topic, startMessageId: MessageId.earliest });
      } catch (error) {
        note(`reader of ${this.#topic}: ${String(error)}`);
        await sleep(clock, 500);
      }
    }
    return undefined;
  }
}

async function receive(from: { receive(timeoutMs: number): Promise<Message> }): Promise<Message | undefined> {
  try {
    return await from.receive(RECEIVE_MS);
  } catch (error) {
    if (error instanceof PulsarError && error.code === "Timeout") return undefined;
    throw error;
  }
}
