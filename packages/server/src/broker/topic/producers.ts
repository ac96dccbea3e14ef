import { ProducerAccessMode, ServerError, type TopicName } from "@pulsewire/protocol";
import { type Deferred, deferred } from "@pulsewire/runtime";
import { BrokerError } from "../broker-error.ts";
import type { TopicProducer } from "./producer.ts";

interface Waiting {
  producer: TopicProducer;
  /** The epoch it brought. */
  topicEpoch: number | undefined;
  granted: Deferred<void>;
}

/** How a producer was let in. */
export interface Admission {
  /** Resolves when its turn has come; undefined when it may publish at once. */
  waiting: Promise<void> | undefined;
}

const AT_ONCE: Admission = { waiting: undefined };

export interface ProducersOptions {
  topic: TopicName;
  /** Asked each time, since policies change; 0 without limit. */
  producersMax: () => number;
  /** Stores an epoch before it counts. */
  storeEpoch(epoch: number): Promise<void>;
  topicEpoch: number | undefined;
}

/**
 * The producers of one topic, by name, and who of them has exclusive access. Exclusive access comes with an epoch
 * that only grows: a producer that lost it brings an older one when it connects again, and stays out.
 */
export class Producers {
  readonly #options: ProducersOptions;
  readonly #byName = new Map<string, TopicProducer>();
  #exclusive: TopicProducer | undefined;
  #waiting: Waiting[] = [];
  #topicEpoch: number | undefined;

  constructor(options: ProducersOptions) {
    this.#options = options;
    this.#topicEpoch = options.topicEpoch;
  }

  get byName(): ReadonlyMap<string, TopicProducer> {
    return this.#byName;
  }

  get topicEpoch(): number | undefined {
    return this.#topicEpoch;
  }

  /**
   * Attaches a producer. Rejects with ProducerBusy or ProducerFenced.
   */
  async add(producer: TopicProducer, topicEpoch: number | undefined): Promise<Admission> {
    for (let taking = this.#takeName(producer); taking !== undefined; taking = this.#takeName(producer)) await taking;
    // nothing is awaited from here to where the producer is attached: two adds cannot both find the topic free
    switch (producer.accessMode) {
      case ProducerAccessMode.Exclusive:
        return this.#addExclusive(producer, topicEpoch);
      case ProducerAccessMode.ExclusiveWithFencing:
        return this.#addWithFencing(producer, topicEpoch);
      case ProducerAccessMode.WaitForExclusive:
        return this.#addWaiting(producer, topicEpoch);
      default:
        return this.#addShared(producer);
    }
  }

  /** The producer goes; the next that waits for exclusive access gets it. */
  remove(producer: TopicProducer): void {
    const waiting = this.#waiting.findIndex((w) => w.producer === producer);
    if (waiting >= 0) {
      const [gone] = this.#waiting.splice(waiting, 1);
      producer.attached = false;
      gone?.granted.reject(busy("the producer was closed while it waited"));
      return;
    }
    producer.attached = false;
    if (this.#byName.get(producer.name) === producer) this.#byName.delete(producer.name);
    if (this.#exclusive === producer) this.#exclusive = undefined;
    this.#promoteNext();
  }

  /** Everybody goes; answers who was attached. */
  removeAll(error: BrokerError): TopicProducer[] {
    const all = [...this.#byName.values()];
    for (const producer of all) producer.attached = false;
    this.#byName.clear();
    this.#exclusive = undefined;
    this.#rejectWaiting(error);
    return all;
  }

  // a -> PRODUCER "x"; the client loses the socket; b -> PRODUCER "x" while the broker has not noticed: ask the old
  // connection whether it is alive before the name is refused
  #takeName(producer: TopicProducer): Promise<void> | undefined {
    const old = this.#holderOf(producer.name);
    if (old === undefined) {
      const producersMax = this.#options.producersMax();
      if (producersMax > 0 && this.#byName.size >= producersMax) throw busy("Topic reached max producers limit");
      return undefined;
    }
    if (producer.succeeds(old)) {
      this.#replace(old);
      return this.#takeName(producer);
    }
    if (old.session === producer.session) throw nameTaken(producer, this.#options.topic);
    return this.#takeNameUnlessAlive(producer, old);
  }

  async #takeNameUnlessAlive(producer: TopicProducer, old: TopicProducer): Promise<void> {
    if (await old.session.checkAlive()) throw nameTaken(producer, this.#options.topic);
    if (this.#holderOf(producer.name) === old) this.#replace(old);
  }

  #holderOf(name: string): TopicProducer | undefined {
    return this.#byName.get(name) ?? this.#waiting.find((w) => w.producer.name === name)?.producer;
  }

  #replace(old: TopicProducer): void {
    this.remove(old);
    old.session.closeProducer(old);
  }

  #addShared(producer: TopicProducer): Admission {
    if (this.#exclusive !== undefined || this.#waiting.length > 0) throw busy(this.#hasExclusive());
    this.#attach(producer);
    return AT_ONCE;
  }

  async #addExclusive(producer: TopicProducer, topicEpoch: number | undefined): Promise<Admission> {
    if (this.#exclusive !== undefined || this.#waiting.length > 0) throw fenced(this.#hasExclusive());
    if (this.#byName.size > 0) throw fenced("Topic has existing shared producers");
    this.#checkEpoch(topicEpoch);
    await this.#makeExclusive(producer, topicEpoch);
    return AT_ONCE;
  }

  async #addWithFencing(producer: TopicProducer, topicEpoch: number | undefined): Promise<Admission> {
    this.#checkEpoch(topicEpoch);
    this.#rejectWaiting(fenced("Fenced out"));
    for (const old of [...this.#byName.values()]) this.#replace(old);
    await this.#makeExclusive(producer, topicEpoch);
    return AT_ONCE;
  }

  async #addWaiting(producer: TopicProducer, topicEpoch: number | undefined): Promise<Admission> {
    if (this.#exclusive !== undefined || this.#byName.size > 0) {
      const waiting: Waiting = { producer, topicEpoch, granted: deferred<void>() };
      this.#waiting.push(waiting);
      return { waiting: waiting.granted.promise };
    }
    this.#checkEpoch(topicEpoch);
    await this.#makeExclusive(producer, topicEpoch);
    return AT_ONCE;
  }

  /** Takes access at once, so that nobody else does while the epoch is stored. */
  async #makeExclusive(producer: TopicProducer, topicEpoch: number | undefined): Promise<void> {
    const epoch = topicEpoch ?? (this.#topicEpoch ?? -1) + 1;
    this.#exclusive = producer;
    this.#attach(producer);
    try {
      if (epoch !== this.#topicEpoch) await this.#options.storeEpoch(epoch);
    } catch (error) {
      this.remove(producer);
      throw error;
    }
    this.#topicEpoch = Math.max(epoch, this.#topicEpoch ?? epoch);
    producer.topicEpoch = epoch;
  }

  #promoteNext(): void {
    if (this.#exclusive !== undefined || this.#byName.size > 0) return;
    const next = this.#waiting.shift();
    if (next === undefined) return;
    this.#promote(next).then(next.granted.resolve, next.granted.reject);
  }

  async #promote({ producer, topicEpoch }: Waiting): Promise<void> {
    try {
      this.#checkEpoch(topicEpoch);
      await this.#makeExclusive(producer, topicEpoch);
    } catch (error) {
      this.#promoteNext();
      throw error;
    }
  }

  #checkEpoch(topicEpoch: number | undefined): void {
    const current = this.#topicEpoch;
    if (topicEpoch !== undefined && current !== undefined && topicEpoch < current) {
      throw fenced(`Topic epoch has already moved. Current epoch: ${current}, Producer epoch: ${topicEpoch}`);
    }
  }

  #attach(producer: TopicProducer): void {
    this.#byName.set(producer.name, producer);
  }

  #rejectWaiting(error: BrokerError): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const { granted } of waiting) granted.reject(error);
  }

  #hasExclusive(): string {
    const name = this.#exclusive?.name ?? this.#waiting[0]?.producer.name ?? "";
    return `Topic has an existing exclusive producer: ${name}`;
  }
}

function busy(message: string): BrokerError {
  return new BrokerError(ServerError.ProducerBusy, message);
}

function fenced(message: string): BrokerError {
  return new BrokerError(ServerError.ProducerFenced, message);
}

function nameTaken(producer: TopicProducer, topic: TopicName): BrokerError {
  return busy(`Producer with name '${producer.name}' is already connected to topic '${topic}'`);
}
