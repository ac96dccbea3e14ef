import type { Message } from "../message.ts";

/** Where a delivery came from. */
export interface DeliverySource<T> {
  acknowledge(message: Message<T>): Promise<void>;
  negativeAcknowledge(message: Message<T>): void;
  /** One delivery fewer is in flight. */
  settled(): void;
}

/**
 * A message that an observable has emitted, until it is settled: acknowledged, negatively acknowledged or released.
 * While `maxInFlight` of them are not, the observable emits no more and the consumer's receiver queue fills.
 */
export class Delivery<T = Uint8Array> {
  readonly message: Message<T>;
  readonly #source: DeliverySource<T>;
  #settled = false;

  /** @internal Made by `messages$`. */
  constructor(message: Message<T>, source: DeliverySource<T>) {
    this.message = message;
    this.#source = source;
  }

  get isSettled(): boolean {
    return this.#settled;
  }

  /** Acknowledges the message, as `consumer.acknowledge` does; of a reader, only makes room. */
  acknowledge(): Promise<void> {
    this.release();
    return this.#source.acknowledge(this.message);
  }

  /** Has the message delivered again, as `consumer.negativeAcknowledge` does; of a reader, only makes room. */
  negativeAcknowledge(): void {
    this.release();
    this.#source.negativeAcknowledge(this.message);
  }

  /** Makes room for the next one and says nothing to the broker: for whoever acknowledges by other means. */
  release(): void {
    if (this.#settled) return;
    this.#settled = true;
    this.#source.settled();
  }
}
