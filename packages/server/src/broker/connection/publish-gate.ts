import type { Channel } from "@pulsewire/runtime";

/**
 * Holds a client back: with too many publishes under way its connection is read no further, until half of them are
 * done.
 */
export class PublishGate {
  readonly #channel: Channel;
  readonly #max: number;
  #pending = 0;
  #paused = false;

  constructor(channel: Channel, max: number) {
    this.#channel = channel;
    this.#max = max;
  }

  get pending(): number {
    return this.#pending;
  }

  begin(): void {
    this.#pending++;
    if (this.#paused || this.#pending < this.#max) return;
    this.#paused = true;
    this.#channel.pause();
  }

  end(): void {
    this.#pending--;
    if (!this.#paused || this.#pending > this.#max >> 1) return;
    this.#paused = false;
    this.#channel.resume();
  }
}
