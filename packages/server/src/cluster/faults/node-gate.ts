import { deferred, type NodeId } from "@pulsewire/runtime";

/** `dead` is final: the next process of the node has a gate of its own. */
type GateState = { kind: "open" } | { kind: "paused"; waiting: (() => void)[] } | { kind: "dead" };

const OPEN: GateState = { kind: "open" };
const DEAD: GateState = { kind: "dead" };

/** Everything that happens to one process of a node passes here: it may have to wait, or never happen. */
export class NodeGate {
  readonly node: NodeId;
  /** How often the disk of the process was filled on purpose, and not emptied yet. */
  fills = 0;
  #state: GateState = OPEN;
  /** Pauses that are not over: it may be asked to stand still more than once at a time. */
  #pauses = 0;
  readonly #held = new Set<Disposable>();
  readonly #death = deferred<void>();

  constructor(node: NodeId) {
    this.node = node;
  }

  get open(): boolean {
    return this.#state === OPEN;
  }

  get dead(): boolean {
    return this.#state === DEAD;
  }

  /** Runs it now, once the node goes on, or never. */
  pass(happens: () => void): void {
    if (this.#state.kind === "open") happens();
    else if (this.#state.kind === "paused") this.#state.waiting.push(happens);
  }

  /** Resolves when the node is running; never when it is dead. */
  passed(): Promise<void> {
    return new Promise((resolve) => this.pass(resolve));
  }

  /** Resolves when the process is dead: what it was asked for then is never answered. */
  get died(): Promise<void> {
    return this.#death.promise;
  }

  pause(): void {
    this.#pauses++;
    if (this.#state.kind === "open") this.#state = { kind: "paused", waiting: [] };
  }

  /** Goes on once it was asked to as often as to stand still. */
  resume(): void {
    this.#pauses--;
    if (this.#state.kind !== "paused" || this.#pauses > 0) return;
    const { waiting } = this.#state;
    this.#state = OPEN;
    // one of them may stop the node again: what is left waits behind it
    for (const happens of waiting) this.pass(happens);
  }

  /** Final. What the process held among the nodes is let go. */
  kill(): void {
    this.#state = DEAD;
    this.#death.resolve();
    for (const held of this.#held) held[Symbol.dispose]();
    this.#held.clear();
  }

  /** Something that is let go when the process dies. */
  holds(held: Disposable): void {
    this.#held.add(held);
  }

  /** It is gone before the process is. */
  released(held: Disposable): void {
    this.#held.delete(held);
  }
}
