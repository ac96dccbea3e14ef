import type { NodeId } from "@pulsewire/runtime";

/** One node, or several. */
export type Nodes = NodeId | readonly NodeId[];

function listOf(nodes: Nodes): readonly NodeId[] {
  return typeof nodes === "string" ? [nodes] : nodes;
}

function keyOf(from: NodeId, to: NodeId): string {
  return `${from}>${to}`;
}

/**
 * Which nodes reach which others, and how slowly. It goes for datagrams (those over a blocked link are lost) and for
 * connections (bytes over a blocked link wait, in order, until it is healed; attempts to connect time out).
 */
export class Links {
  readonly #blocked = new Set<string>();
  readonly #slow = new Map<NodeId, number>();
  readonly #onHealed = new Set<() => void>();
  readonly #note: (what: string) => void;

  constructor(note: (what: string) => void) {
    this.#note = note;
  }

  /** Nothing passes between the two sides, in neither direction; what is within a side does. */
  partition(a: Nodes, b: Nodes): void {
    this.block(a, b);
    this.block(b, a);
  }

  /** Nothing passes from the one side to the other; what is sent the other way does. */
  block(from: Nodes, to: Nodes): void {
    this.#note(`blocked: ${listOf(from).join(",")} > ${listOf(to).join(",")}`);
    for (const f of listOf(from)) for (const t of listOf(to)) if (f !== t) this.#blocked.add(keyOf(f, t));
  }

  /** Between two sides, in both directions, everything passes again. Without arguments: everywhere. */
  heal(a?: Nodes, b?: Nodes): void {
    if (a === undefined || b === undefined) {
      this.#note("healed: all");
      this.#blocked.clear();
    } else {
      this.#note(`healed: ${listOf(a).join(",")} - ${listOf(b).join(",")}`);
      for (const x of listOf(a)) {
        for (const y of listOf(b)) {
          this.#blocked.delete(keyOf(x, y));
          this.#blocked.delete(keyOf(y, x));
        }
      }
    }
    for (const tell of [...this.#onHealed]) tell();
  }

  isBlocked(from: NodeId, to: NodeId): boolean {
    return this.#blocked.size > 0 && this.#blocked.has(keyOf(from, to));
  }

  /** Everything to and from a node takes so much longer, in ms; 0 ends it. */
  slow(node: NodeId, delayMs: number): void {
    this.#note(`slow: ${node} by ${delayMs} ms`);
    if (delayMs > 0) this.#slow.set(node, delayMs);
    else this.#slow.delete(node);
  }

  /** How much longer it takes from one node to another, in ms. */
  extraDelayMs(from: NodeId, to: NodeId): number {
    if (this.#slow.size === 0) return 0;
    return (this.#slow.get(from) ?? 0) + (this.#slow.get(to) ?? 0);
  }

  onHealed(listener: () => void): Disposable {
    this.#onHealed.add(listener);
    return { [Symbol.dispose]: () => void this.#onHealed.delete(listener) };
  }
}
