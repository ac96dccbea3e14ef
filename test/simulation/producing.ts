import type { Producer, PulsarClient } from "@pulsewire/client";
import type { Clock, Random } from "@pulsewire/runtime";
import { type History, placeOf, type Sent } from "./history.ts";
import type { ProducerPlan } from "./plan.ts";

const KEYS = 8;

/** Waits on a clock of the simulation. */
export function sleep(clock: Clock, ms: number): Promise<void> {
  return new Promise((resolve) => clock.setTimer(ms, resolve));
}

/** What a worker of the workload has. */
export interface Ports {
  client: PulsarClient;
  clock: Clock;
  random: Random;
  /** Told of what went wrong and will be tried again. */
  note: (what: string) => void;
}

/** Sends numbered messages with keys until it is stopped, and keeps what became of each. */
export class ProducingWorker {
  readonly #plan: ProducerPlan;
  readonly #client: PulsarClient;
  readonly #clock: Clock;
  readonly #random: Random;
  readonly #note: (what: string) => void;
  readonly #history: History;
  readonly #pending = new Set<Promise<void>>();
  #stopped = false;
  #number = 0;

  constructor(plan: ProducerPlan, ports: Ports, history: History) {
    this.#plan = plan;
    this.#client = ports.client;
    this.#clock = ports.clock;
    this.#random = ports.random;
    this.#note = ports.note;
    this.#history = history;
  }

  /** Sends that are not settled. */
  get pending(): number {
    return this.#pending.size;
  }

  stop(): void {
    this.#stopped = true;
  }

  /** Resolves after the last send was settled. */
  async run(): Promise<void> {
    const { pauseMs, burst } = this.#plan;
    const producer = await this.#open();
    if (producer === undefined) return;
    while (!this.#stopped) {
      const count = 1 + this.#random.integer(burst);
      for (let i = 0; i < count; i++) this.#send(producer);
      await sleep(this.#clock, this.#random.float() * 2 * pauseMs * Math.ceil(burst / 2));
    }
    await Promise.all(this.#pending);
    await producer.close();
  }

  /** Until it works, or is not wanted any more. */
  async #open(): Promise<Producer | undefined> {
    const { batching, keyBatching, name, topic, sendTimeoutMs } = this.#plan;
    while (!this.#stopped) {
      try {
        return await this.#client.createProducer({
          topic,
          producerName: name,
          sendTimeoutMs,
          batchingEnabled: batching,
          batchingType: keyBatching ? "KeyBased" : "Default",
          batchingMaxPublishDelayMs: 1 + this.#random.integer(20),
          blockIfQueueFull: true,
        });
      } catch (error) {
        this.#note(`${name}: ${String(error)}`);
        await sleep(this.#clock, 500);
      }
    }
    return undefined;
  }

  /** Batches by key keep the order of each key, all others that of the producer. */
  #laneOf(key: string): string {
    const { name, batching, keyBatching } = this.#plan;
    return batching && keyBatching ? `${name}/${key}` : name;
  }

  #send(producer: Producer): void {
    const { name, topic } = this.#plan;
    const text = `${name}/${this.#number++}`;
    const key = `k${this.#random.integer(KEYS)}`;
    const sent: Sent = { topic, producer: name, text, key, lane: this.#laneOf(key), outcome: { kind: "pending" } };
    this.#history.sent.push(sent);
    const settled = producer.send({ data: text, key }).then(
      (id) => {
        sent.outcome = { kind: "stored", place: placeOf(id) };
      },
      (error: unknown) => {
        sent.outcome = { kind: "failed", why: String(error) };
      },
    );
    this.#pending.add(settled);
    void settled.then(() => this.#pending.delete(settled));
  }
}
