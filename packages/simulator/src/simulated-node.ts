import { SimulationError } from "./simulation-error.ts";
import type { Timeline, TimelineEvent } from "./timeline.ts";

/** `crashed` is final for an incarnation; a restart begins the next. */
type NodeState = { kind: "running" } | { kind: "paused"; waiting: TimelineEvent[] } | { kind: "crashed" };

const RUNNING: NodeState = { kind: "running" };
const CRASHED: NodeState = { kind: "crashed" };

/** One process of the simulation: it may stand still for a while, or end without warning. */
export class SimulatedNode {
  readonly name: string;
  /** Added to its wall clock, in ms. */
  skewMs = 0;
  readonly #timeline: Timeline;
  #state: NodeState = RUNNING;
  #incarnation = 0;

  constructor(name: string, timeline: Timeline) {
    this.name = name;
    this.#timeline = timeline;
  }

  get state(): NodeState["kind"] {
    return this.#state.kind;
  }

  /** One more after each crash: what an earlier one set going never happens. */
  get incarnation(): number {
    return this.#incarnation;
  }

  /** Whether an event may happen now. One that may not while the node is paused happens when it goes on. */
  admits(event: TimelineEvent): boolean {
    if (event.incarnation !== this.#incarnation) return false;
    if (this.#state.kind === "running") return true;
    if (this.#state.kind === "paused") this.#state.waiting.push(event);
    return false;
  }

  pause(): void {
    if (this.#state.kind !== "running") throw this.#wrongState("paused");
    this.#state = { kind: "paused", waiting: [] };
  }

  resume(): void {
    if (this.#state.kind !== "paused") throw this.#wrongState("resumed");
    const { waiting } = this.#state;
    this.#state = RUNNING;
    for (const event of waiting) this.#timeline.again(event);
  }

  crash(): void {
    if (this.#state.kind === "crashed") throw this.#wrongState("crashed");
    this.#state = CRASHED;
    this.#incarnation++;
  }

  restart(): void {
    if (this.#state.kind !== "crashed") throw this.#wrongState("restarted");
    this.#state = RUNNING;
  }

  #wrongState(verb: string): SimulationError {
    return new SimulationError("WrongState", `${this.name} is ${this.#state.kind} and cannot be ${verb}`);
  }
}
