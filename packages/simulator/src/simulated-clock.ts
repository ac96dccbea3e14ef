import type { Clock, Timer } from "@pulsewire/runtime";
import type { SimulatedNode } from "./simulated-node.ts";
import type { Timeline } from "./timeline.ts";

/** A timer that never goes off: what a node that crashed sets. */
const NEVER: Timer = { cancel: () => undefined };

/** Virtual time as one node sees it, or, without a node, as nobody in particular does. */
export class SimulatedClock implements Clock {
  readonly #timeline: Timeline;
  readonly #startMs: number;
  readonly #node: SimulatedNode | undefined;
  readonly #incarnation: number;

  constructor(timeline: Timeline, startMs: number, node?: SimulatedNode) {
    this.#timeline = timeline;
    this.#startMs = startMs;
    this.#node = node;
    this.#incarnation = node?.incarnation ?? 0;
  }

  now(): number {
    return Math.floor(this.#startMs + this.#timeline.elapsedMs + (this.#node?.skewMs ?? 0));
  }

  monotonicMs(): number {
    return this.#timeline.elapsedMs;
  }

  setTimer(delayMs: number, callback: () => void): Timer {
    if (this.#ended) return NEVER;
    const event = this.#timeline.after(delayMs, callback, this.#node);
    return {
      cancel: () => {
        event.cancelled = true;
      },
    };
  }

  setTicker(periodMs: number, callback: () => void): Timer {
    let timer: Timer;
    const tick = (): void => {
      timer = this.setTimer(periodMs, tick);
      callback();
    };
    timer = this.setTimer(periodMs, tick);
    return { cancel: () => timer.cancel() };
  }

  soon(callback: () => void): void {
    if (!this.#ended) this.#timeline.after(0, callback, this.#node);
  }

  /** Whether the node crashed since it got this clock. */
  get #ended(): boolean {
    return this.#node !== undefined && this.#node.incarnation !== this.#incarnation;
  }
}
