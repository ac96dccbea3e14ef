import type { Message } from "../message.ts";
import type { ConsumerStatsRecorder } from "../observability/consumer-stats.ts";
import type { ConsumerTelemetry } from "../observability/telemetry.ts";
import type { Transaction } from "../transactions/transaction.ts";
import type { AckPlace, AckTracker } from "./ack-tracker.ts";
import type { ConsumerWire } from "./consumer-wire.ts";
import type { Redelivery } from "./redelivery.ts";

export interface SettlementOptions {
  readonly topic: string;
  readonly subscription: string;
  readonly wire: ConsumerWire;
  readonly acks: AckTracker;
  readonly redelivery: Redelivery;
  readonly stats: ConsumerStatsRecorder;
  readonly telemetry: ConsumerTelemetry | undefined;
  /** Resolves when there is a connection; rejects with a PulsarError where the consumer has ended. */
  whenAttached(): Promise<unknown>;
}

/** What the application says of the messages of one partition: counted, told to the broker, taken off redelivery. */
export class Settlement {
  readonly #options: SettlementOptions;

  constructor(options: SettlementOptions) {
    this.#options = options;
  }

  acknowledge(place: AckPlace): Promise<void> {
    this.#acknowledged(place, false);
    return this.#options.acks.acknowledge(place);
  }

  acknowledgeCumulative(place: AckPlace): Promise<void> {
    this.#acknowledged(place, true);
    return this.#options.acks.acknowledgeCumulative(place);
  }

  /** Acknowledges as part of a transaction. Rejects with a PulsarError where the broker does not take it. */
  acknowledgeIn(transaction: Transaction, place: AckPlace, cumulative: boolean): Promise<void> {
    const { topic, subscription, wire } = this.#options;
    return transaction.acknowledge(topic, subscription, async () => {
      await this.#options.whenAttached();
      await wire.acknowledgeIn(transaction.id, place, cumulative);
      this.#acknowledged(place, cumulative);
    });
  }

  negativeAcknowledge(place: AckPlace, message: Message | undefined): void {
    this.#negativelyAcknowledged(place);
    this.#options.redelivery.onNegative(place, message);
  }

  /** Has a message delivered again that was forgotten: it could not be brought elsewhere. */
  bringBack(place: AckPlace, message: Message | undefined): void {
    this.#negativelyAcknowledged(place);
    this.#options.redelivery.bringBack(place, message);
  }

  /** A message is on its way elsewhere: it is neither asked for again nor sent to the dead-letter topic meanwhile. */
  forget(place: AckPlace): void {
    this.#options.redelivery.onAcknowledged(place);
  }

  #acknowledged(place: AckPlace, cumulative: boolean): void {
    const { stats, telemetry, redelivery } = this.#options;
    stats.acknowledged++;
    telemetry?.acknowledged(place, cumulative);
    if (cumulative) redelivery.onAcknowledgedUpTo(place);
    else redelivery.onAcknowledged(place);
  }

  #negativelyAcknowledged(place: AckPlace): void {
    const { stats, telemetry } = this.#options;
    stats.negativelyAcknowledged++;
    telemetry?.negativelyAcknowledged(place);
  }
}
