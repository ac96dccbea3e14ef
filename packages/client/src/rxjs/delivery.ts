import type { Message } from "../message.ts";

/** A message, and when it was received as far as the consumer's giving it once more goes. */
export interface Received<T> {
  readonly message: Message<T>;
  readonly generation: number;
}

/** Where a delivery came from. */
export interface DeliverySource<T> {
  acknowledge(message: Message<T>): Promise<void>;
  negativeAcknowledge(message: Message<T>): void;
  /** Gives messages back untouched, in order. */
  putBack(received: readonly Received<T>[]): void;
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
  readonly #generation: number;
  #settled = false;

  /** @internal Made by `messages$`. */
  constructor({ message, generation }: Received<T>, source: DeliverySource<T>) {
    this.message = message;
    this.#generation = generation;
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

  /**
   * Gives the message back to the consumer or reader as if it had never been received: it is the next one that comes out.
   * For whoever leaves and has not begun with it. One that the broker delivers again anyway is not kept twice.
   */
  putBack(): void {
    Delivery.putBack([this]);
  }

  /** @internal The same for several, which come out in this order; what is settled is left out. */
  static putBack<T>(deliveries: Iterable<Delivery<T>>): void {
    const bySource = new Map<DeliverySource<T>, Received<T>[]>();
    for (const delivery of deliveries) {
      if (delivery.#settled) continue;
      delivery.release();
      const received = { message: delivery.message, generation: delivery.#generation };
      const others = bySource.get(delivery.#source);
      if (others === undefined) bySource.set(delivery.#source, [received]);
      else others.push(received);
    }
    for (const [source, received] of bySource) source.putBack(received);
  }

  /** Makes room for the next one and says nothing to the broker: for whoever acknowledges by other means. */
  release(): void {
    if (this.#settled) return;
    this.#settled = true;
    this.#source.settled();
  }
}
