import { type Consumer, type Message, PulsarClient, type SubscriptionType } from "@pulsewire/client";

/** What the outside was told of one topic, and what it tried. */
export interface TopicHistory {
  readonly topic: string;
  /** Texts in the order they were sent. */
  readonly sent: string[];
  /** Those that were confirmed. */
  readonly stored: Set<string>;
  /** Those whose acknowledgement was asked for, and those of which it was confirmed. */
  readonly acknowledging: Set<string>;
  readonly acknowledged: Set<string>;
}

interface TopicPlan {
  topic: string;
  batching: boolean;
  type: SubscriptionType;
  cumulative: boolean;
  /** Bytes of a message. */
  size: number;
}

export const PLANS: readonly TopicPlan[] = [
  { topic: "single", batching: false, type: "Shared", cumulative: false, size: 100 },
  { topic: "batched", batching: true, type: "Exclusive", cumulative: true, size: 1000 },
  { topic: "large", batching: false, type: "Failover", cumulative: false, size: 40_000 },
];

/** Sends under way at once for each topic. */
export const IN_FLIGHT = 50;
/** The subscription that works, and the one that only keeps everything there. */
export const WORKER = "worker";
export const KEEPER = "keeper";

/** Nothing known yet of each plan's topic. */
export function newHistories(round: number): TopicHistory[] {
  return PLANS.map(({ topic }) => ({
    topic: `${topic}-${round}`,
    sent: [],
    stored: new Set(),
    acknowledging: new Set(),
    acknowledged: new Set(),
  }));
}

/** The text of a message, so long that it has its bytes. */
export function textOf(number: number | string, size: number): string {
  return `${number}:`.padEnd(size, "x");
}

/** Produces and consumes against one server until that is gone. */
export class Workload {
  readonly histories: TopicHistory[];
  /** What failed while the server ran. */
  readonly wrong: string[] = [];
  readonly #client: PulsarClient;
  #stopped = false;

  /** @param round Part of the topics' names. */
  constructor(serviceUrl: string, round: number) {
    this.#client = new PulsarClient({ serviceUrl, operationTimeoutMs: 5_000 });
    this.histories = newHistories(round);
  }

  /** Resolves when everybody is at work. */
  async start(): Promise<void> {
    await Promise.all(PLANS.map((plan, i) => this.#startTopic(plan, this.histories[i] as TopicHistory)));
  }

  /** The server is about to go: what fails from now on is no surprise. */
  expectEnd(): void {
    this.#stopped = true;
  }

  /** After the server is gone. */
  close(): Promise<void> {
    return this.#client.close();
  }

  async #startTopic(plan: TopicPlan, history: TopicHistory): Promise<void> {
    const { topic } = history;
    const keeper = await this.#client.subscribe({ topic, subscription: KEEPER, initialPosition: "Earliest" });
    await keeper.close();
    const consumer = await this.#client.subscribe({
      topic,
      subscription: WORKER,
      type: plan.type,
      initialPosition: "Earliest",
      ackReceiptEnabled: true,
      acknowledgmentGroupTimeMs: 10,
      receiverQueueSize: 100,
    });
    this.#untilStopped(this.#consume(consumer, plan, history));
    this.#untilStopped(this.#produce(plan, history));
  }

  /** Everything fails once the server is gone; before that nothing may. */
  #untilStopped(work: Promise<void>): void {
    work.catch((error: unknown) => {
      if (!this.#stopped) this.wrong.push(`while the server ran: ${String(error)}`);
    });
  }

  async #produce({ batching, size }: TopicPlan, history: TopicHistory): Promise<void> {
    const producer = await this.#client.createProducer({
      topic: history.topic,
      batchingEnabled: batching,
      batchingMaxPublishDelayMs: 2,
      sendTimeoutMs: 0,
    });
    const lane = async (): Promise<void> => {
      while (!this.#stopped) {
        const text = textOf(history.sent.length, size);
        history.sent.push(text);
        await producer.send(text);
        history.stored.add(text);
      }
    };
    await Promise.all(Array.from({ length: IN_FLIGHT }, lane));
  }

  async #consume(consumer: Consumer, { cumulative }: TopicPlan, history: TopicHistory): Promise<void> {
    const got: string[] = [];
    for (let n = 0; !this.#stopped; n++) {
      const message = await consumer.receive();
      got.push(message.text());
      if (cumulative ? n % 7 === 6 : n % 3 !== 0)
        this.#acknowledge(consumer, message, cumulative ? got.splice(0) : undefined, history);
    }
  }

  #acknowledge(consumer: Consumer, message: Message, upTo: string[] | undefined, history: TopicHistory): void {
    const texts = upTo ?? [message.text()];
    for (const text of texts) history.acknowledging.add(text);
    const acknowledging = upTo ? consumer.acknowledgeCumulative(message) : consumer.acknowledge(message);
    this.#untilStopped(
      acknowledging.then(() => {
        for (const text of texts) history.acknowledged.add(text);
      }),
    );
  }
}
