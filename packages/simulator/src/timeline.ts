import { EventHeap, type ScheduledEvent } from "./event-heap.ts";
import type { SimulatedNode } from "./simulated-node.ts";
import { SimulationError } from "./simulation-error.ts";
import type { Trace } from "./trace.ts";

/** An event, and the node it happens at: while that is paused it waits, and when that crashed it never happens. */
export interface TimelineEvent extends ScheduledEvent {
  readonly node: SimulatedNode | undefined;
  readonly incarnation: number;
}

/**
 * Times are whole multiples of 1/1024 ms, rounded up: sums and differences of such numbers are exact, and whoever computes
 * how much of a timeout is left never finds a rest too small to let time pass.
 */
const STEPS_PER_MS = 1024;

/** Virtual time: a queue of events. It moves only after everything that can run without it has run. */
export class Timeline {
  readonly #drain: () => Promise<void>;
  readonly #eventsAtOnceMax: number;
  readonly #heap = new EventHeap<TimelineEvent>();
  #elapsedMs = 0;
  #order = 0;
  #running = false;
  #events = 0;
  #eventsAtOnce = 0;
  trace: Trace | undefined;

  constructor(drain: () => Promise<void>, eventsAtOnceMax: number) {
    this.#drain = drain;
    this.#eventsAtOnceMax = eventsAtOnceMax;
  }

  /** Milliseconds since the start. */
  get elapsedMs(): number {
    return this.#elapsedMs;
  }

  /** Events that happened. */
  get events(): number {
    return this.#events;
  }

  get running(): boolean {
    return this.#running;
  }

  /** `delayMs` from now, at least 0. */
  after(delayMs: number, run: () => void, node?: SimulatedNode): TimelineEvent {
    return this.at(this.#elapsedMs + Math.max(0, delayMs), run, node);
  }

  at(dueMs: number, run: () => void, node?: SimulatedNode): TimelineEvent {
    const incarnation = node?.incarnation ?? 0;
    const onGridMs = Math.ceil(dueMs * STEPS_PER_MS) / STEPS_PER_MS;
    const event: TimelineEvent = { dueMs: onGridMs, order: this.#order++, cancelled: false, run, node, incarnation };
    this.#heap.push(event);
    return event;
  }

  /** Puts an event that waited at the end of what happens now. */
  again(event: TimelineEvent): void {
    event.dueMs = this.#elapsedMs;
    event.order = this.#order++;
    this.#heap.push(event);
  }

  /**
   * Lets things happen until `done` or `untilMs`, whichever is first.
   * Answers why it ended: nothing is left to happen before `untilMs` is `idle` when nothing is left at all.
   */
  async run(untilMs: number, done: () => boolean): Promise<"done" | "time" | "idle"> {
    this.#running = true;
    try {
      await this.#drain();
      while (!done()) {
        const next = this.#heap.peek();
        if (next === undefined || next.dueMs > untilMs) {
          this.#elapsedMs = Math.max(this.#elapsedMs, untilMs);
          return next === undefined ? "idle" : "time";
        }
        this.#heap.pop();
        if (next.cancelled) continue;
        this.#moveTo(next.dueMs);
        if (this.#happen(next)) await this.#drain();
      }
      return "done";
    } finally {
      this.#running = false;
    }
  }

  #moveTo(dueMs: number): void {
    if (dueMs > this.#elapsedMs) {
      this.#elapsedMs = dueMs;
      this.#eventsAtOnce = 0;
    } else if (++this.#eventsAtOnce > this.#eventsAtOnceMax) {
      const detail = `${this.#eventsAtOnceMax} things happened at ${dueMs} ms, and there are more`;
      throw new SimulationError("Livelock", detail);
    }
  }

  /** Whether it happened: at a paused or crashed node nothing does. */
  #happen(event: TimelineEvent): boolean {
    const { node } = event;
    if (node !== undefined && !node.admits(event)) return false;
    this.#events++;
    this.trace?.mixNumber(event.dueMs);
    event.run();
    return true;
  }
}
