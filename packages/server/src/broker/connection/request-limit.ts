import { ServerError } from "@pulsewire/protocol";
import { BrokerError } from "../broker-error.ts";

/** Bounds how many requests of a kind are under way. */
export class RequestLimit {
  readonly #max: number;
  #underWay = 0;

  constructor(max: number) {
    this.#max = max;
  }

  get underWay(): number {
    return this.#underWay;
  }

  /** Rejects with TooManyRequests at the limit. */
  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.#underWay >= this.#max) {
      throw new BrokerError(ServerError.TooManyRequests, `More than ${this.#max} requests of this kind are under way`);
    }
    this.#underWay++;
    try {
      return await work();
    } finally {
      this.#underWay--;
    }
  }
}
