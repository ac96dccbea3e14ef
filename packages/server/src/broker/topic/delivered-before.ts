import type { SubscriptionStats } from "../subscription/contracts.ts";

/** What was delivered to those that are gone: a counter only ever grows. */
export class DeliveredBefore {
  #messages = 0;
  #bytes = 0;

  add({ msgOutCounter, bytesOutCounter }: Pick<SubscriptionStats, "msgOutCounter" | "bytesOutCounter">): void {
    this.#messages += msgOutCounter;
    this.#bytes += bytesOutCounter;
  }

  /** Together with what was delivered to those that are there. */
  with(there: Iterable<Pick<SubscriptionStats, "msgOutCounter" | "bytesOutCounter">>): {
    msgOutCounter: number;
    bytesOutCounter: number;
  } {
    let [msgOutCounter, bytesOutCounter] = [this.#messages, this.#bytes];
    for (const one of there) {
      msgOutCounter += one.msgOutCounter;
      bytesOutCounter += one.bytesOutCounter;
    }
    return { msgOutCounter, bytesOutCounter };
  }
}
