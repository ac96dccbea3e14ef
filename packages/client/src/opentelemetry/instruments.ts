import type { Attributes, Counter, Histogram, Meter, ObservableResult } from "@opentelemetry/api";
import type { Amount } from "../observability/telemetry.ts";

/** Boundaries of durations, in seconds: from half a millisecond to a minute. */
const SECONDS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5, 10, 30, 60];

/** Asked when metrics are collected. */
interface Observed {
  readonly attributes: Attributes;
  read(): Amount;
}

/** The instruments of one client, by the names that Pulsar's Java client has for them. */
export class Instruments {
  readonly connectionsOpened: Counter;
  readonly connectionsClosed: Counter;
  readonly connectionsFailed: Counter;
  readonly lookupDuration: Histogram;
  readonly producersOpened: Counter;
  readonly producersClosed: Counter;
  readonly sendDuration: Histogram;
  readonly sendSize: Counter;
  readonly rpcSendDuration: Histogram;
  readonly consumersOpened: Counter;
  readonly consumersClosed: Counter;
  readonly receivedCount: Counter;
  readonly receivedSize: Counter;
  readonly acks: Counter;
  readonly nacks: Counter;
  readonly #meter: Meter;
  readonly #queues = new Set<Observed>();
  readonly #pending = new Set<Observed>();
  readonly #stop: (() => void)[] = [];

  constructor(meter: Meter) {
    this.#meter = meter;
    const count = (name: string, description: string, unit = "1"): Counter =>
      meter.createCounter(`pulsar.client.${name}`, { description, unit });
    const time = (name: string, description: string): Histogram =>
      meter.createHistogram(`pulsar.client.${name}`, {
        description,
        unit: "s",
        advice: { explicitBucketBoundaries: SECONDS },
      });
    this.connectionsOpened = count("connection.opened", "Connections that were made");
    this.connectionsClosed = count("connection.closed", "Connections that ended");
    this.connectionsFailed = count("connection.failed", "Connections that could not be made");
    this.lookupDuration = time("lookup.duration", "How long lookups take");
    this.producersOpened = count("producer.opened", "Producers that were opened");
    this.producersClosed = count("producer.closed", "Producers that were closed");
    this.sendDuration = time("producer.message.send.duration", "From a message's send to its receipt");
    this.sendSize = count("producer.message.send.size", "Payload bytes that were sent", "By");
    this.rpcSendDuration = time("producer.rpc.send.duration", "From an entry's opening to its receipt");
    this.consumersOpened = count("consumer.opened", "Consumers that were opened");
    this.consumersClosed = count("consumer.closed", "Consumers that were closed");
    this.receivedCount = count("consumer.message.received.count", "Messages that were received");
    this.receivedSize = count("consumer.message.received.size", "Bytes that were received", "By");
    this.acks = count("consumer.message.ack", "Acknowledgements");
    this.nacks = count("consumer.message.nack", "Negative acknowledgements");
    this.#observe("consumer.receive_queue", "in receiver queues", this.#queues);
    this.#observe("producer.message.pending", "that wait for a receipt", this.#pending);
  }

  /** Tells of a receiver queue until the answer is called. */
  receiveQueue(attributes: Attributes, read: () => Amount): () => void {
    return enlist(this.#queues, { attributes, read });
  }

  /** Tells of a producer's pending messages until the answer is called. */
  pending(attributes: Attributes, read: () => Amount): () => void {
    return enlist(this.#pending, { attributes, read });
  }

  memory(usedBytes: () => number, limitBytes: number): void {
    const usage = this.#meter.createObservableUpDownCounter("pulsar.client.memory.buffer.usage", {
      description: "Payload bytes that producers hold",
      unit: "By",
    });
    const limit = this.#meter.createObservableUpDownCounter("pulsar.client.memory.buffer.limit", {
      description: "Payload bytes that producers may hold",
      unit: "By",
    });
    const tellUsage = (result: ObservableResult): void => result.observe(usedBytes());
    const tellLimit = (result: ObservableResult): void => result.observe(limitBytes);
    usage.addCallback(tellUsage);
    limit.addCallback(tellLimit);
    this.#stop.push(
      () => usage.removeCallback(tellUsage),
      () => limit.removeCallback(tellLimit),
    );
  }

  /** Nothing is observed any more. */
  close(): void {
    for (const stop of this.#stop.splice(0)) stop();
  }

  #observe(name: string, what: string, observed: ReadonlySet<Observed>): void {
    const kinds = [
      ["count", `Messages ${what}`, "1", (amount: Amount) => amount.messages],
      ["size", `Bytes ${what}`, "By", (amount: Amount) => amount.bytes],
    ] as const;
    for (const [kind, description, unit, pick] of kinds) {
      const counter = this.#meter.createObservableUpDownCounter(`pulsar.client.${name}.${kind}`, { description, unit });
      const tell = (result: ObservableResult): void => {
        for (const [attributes, total] of sums(observed, pick)) result.observe(total, attributes);
      };
      counter.addCallback(tell);
      this.#stop.push(() => counter.removeCallback(tell));
    }
  }
}

/** Several of the same attributes are one series. */
function sums(observed: ReadonlySet<Observed>, pick: (amount: Amount) => number): [Attributes, number][] {
  const byKey = new Map<string, [Attributes, number]>();
  for (const { attributes, read } of observed) {
    const key = JSON.stringify(attributes);
    byKey.set(key, [attributes, (byKey.get(key)?.[1] ?? 0) + pick(read())]);
  }
  return [...byKey.values()];
}

function enlist(observed: Set<Observed>, one: Observed): () => void {
  observed.add(one);
  return () => observed.delete(one);
}
