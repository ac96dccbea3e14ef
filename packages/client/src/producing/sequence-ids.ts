import type { ProducerMessage } from "./producer-message.ts";

/** The sequence ids of one producer: which comes next, which was given out last, which has a receipt. */
export class SequenceIds {
  #next = 0;
  #lastQueued = -1;
  #lastStored = -1;
  #started = false;

  /** The highest with a receipt, or -1. */
  get lastStored(): number {
    return this.#lastStored;
  }

  /**
   * The first attachment tells where the count starts. Later ones tell what the broker stored of this producer's own
   * messages, which must not move it.
   */
  start(last: number): void {
    if (this.#started) return;
    this.#started = true;
    this.#lastStored = last;
    this.#lastQueued = last;
    this.#next = last + 1;
  }

  /** The sequence id of a message: its own, or the next. */
  assign(message: ProducerMessage): number {
    const sequenceId = message.sequenceId ?? this.#next;
    if (sequenceId >= this.#next) this.#next = sequenceId + 1;
    this.#lastQueued = sequenceId;
    return sequenceId;
  }

  /** Whether a message's own sequence id does not rise above those given out before. */
  repeats(message: ProducerMessage): boolean {
    return message.sequenceId !== undefined && message.sequenceId <= this.#lastQueued;
  }

  onStored(sequenceId: number): void {
    if (sequenceId > this.#lastStored) this.#lastStored = sequenceId;
  }
}
