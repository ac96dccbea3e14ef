import type { NodeId, Random } from "@pulsewire/runtime";
import { between, happens } from "./chance.ts";
import type { NetworkFaults } from "./faults.ts";
import type { TimelineEvent } from "./timeline.ts";
import type { World } from "./world.ts";

/** What travels down a wire in one piece. */
export interface Segment {
  bytes: number;
  /** Called at the receiving node. */
  arrive: () => void;
}

/** `dead` is final: what is sent vanishes and nobody is told. */
type WireState = "live" | "dead";

export interface WireOptions {
  world: World;
  faults: NetworkFaults;
  random: Random;
  from: NodeId;
  to: NodeId;
  /** The connection is lost with what was being sent. */
  onCut: () => void;
}

/** One direction of a connection: segments arrive in the order they were sent, or not at all. */
export class Wire {
  readonly #options: WireOptions;
  readonly #travelling = new Set<TimelineEvent>();
  #waiting: Segment[] = [];
  #healed: Disposable | undefined;
  #lastDueMs = 0;
  #state: WireState = "live";

  constructor(options: WireOptions) {
    this.#options = options;
  }

  get from(): NodeId {
    return this.#options.from;
  }

  get to(): NodeId {
    return this.#options.to;
  }

  send(segment: Segment): void {
    if (this.#state === "dead") return;
    const { world, faults, random, from, to, onCut } = this.#options;
    if (happens(random, faults.cutProbability)) {
      world.trace.note(from, `~ ${to}: connection lost`);
      onCut();
    } else if (this.#waiting.length > 0 || world.links.isBlocked(from, to)) this.#wait(segment);
    else this.#travel(segment);
  }

  /** What is under way is lost, and so is all that follows. */
  kill(): void {
    this.#state = "dead";
    for (const event of this.#travelling) event.cancelled = true;
    this.#travelling.clear();
    this.#waiting = [];
    this.#healed?.[Symbol.dispose]();
  }

  #wait(segment: Segment): void {
    this.#waiting.push(segment);
    this.#healed ??= this.#options.world.links.onHealed(() => this.#goOn());
  }

  #goOn(): void {
    const { world, from, to } = this.#options;
    if (world.links.isBlocked(from, to)) return;
    this.#healed?.[Symbol.dispose]();
    this.#healed = undefined;
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const segment of waiting) this.#travel(segment);
  }

  #travel({ bytes, arrive }: Segment): void {
    const { world, faults, random, from, to } = this.#options;
    const { timeline, links } = world;
    const { delayMsMin, delayMsMax, bandwidthBytesPerSecond } = faults;
    const sendingMs = bandwidthBytesPerSecond > 0 ? (bytes / bandwidthBytesPerSecond) * 1000 : 0;
    const delayMs = between(random, delayMsMin, delayMsMax) + links.extraDelayMs(from, to);
    // the wire is busy with what was sent before: a segment starts behind it and never overtakes it
    this.#lastDueMs = Math.max(timeline.elapsedMs + delayMs, this.#lastDueMs) + sendingMs;
    const event = timeline.at(
      this.#lastDueMs,
      () => {
        this.#travelling.delete(event);
        arrive();
      },
      world.node(to),
    );
    this.#travelling.add(event);
  }
}
