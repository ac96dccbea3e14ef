import type { NodeId } from "@pulsewire/runtime";

/** One node, or several: `broker-0`, a bookie's `host:port`, `metadata`. */
export type Nodes = NodeId | readonly NodeId[];

export function nodesOf(nodes: Nodes): readonly NodeId[] {
  return typeof nodes === "string" ? [nodes] : nodes;
}

/** Which nodes of a cluster reach which others, and how slowly. Faults may overlap: each is counted until it is undone. */
export class FaultLinks {
  readonly #blocked = new Map<string, number>();
  readonly #slow = new Map<NodeId, number>();

  /** Whether nothing is wrong anywhere: what is asked for every message. */
  get clear(): boolean {
    return this.#blocked.size === 0 && this.#slow.size === 0;
  }

  isBlocked(from: NodeId, to: NodeId): boolean {
    return this.#blocked.has(`${nodeOf(from)}>${nodeOf(to)}`);
  }

  /** How much longer it takes from one node to another, in ms. */
  extraDelayMs(from: NodeId, to: NodeId): number {
    return (this.#slow.get(nodeOf(from)) ?? 0) + (this.#slow.get(nodeOf(to)) ?? 0);
  }

  /** Nothing passes between the two sides until it is undone. */
  partition(a: Nodes, b: Nodes): Disposable {
    const links: string[] = [];
    for (const x of nodesOf(a)) for (const y of nodesOf(b)) links.push(`${x}>${y}`, `${y}>${x}`);
    for (const link of links) this.#count(link, 1);
    return undoing(() => {
      for (const link of links) this.#count(link, -1);
    });
  }

  /** Everything to and from a node takes so much longer until it is undone; several add up. */
  slow(node: NodeId, delayMs: number): Disposable {
    this.#slow.set(node, (this.#slow.get(node) ?? 0) + delayMs);
    return undoing(() => {
      const left = (this.#slow.get(node) ?? 0) - delayMs;
      if (left > 0) this.#slow.set(node, left);
      else this.#slow.delete(node);
    });
  }

  #count(link: string, by: number): void {
    const count = (this.#blocked.get(link) ?? 0) + by;
    if (count > 0) this.#blocked.set(link, count);
    else this.#blocked.delete(link);
  }
}

/** A node's parts that are reached by names of their own (`<node>/auto-recovery`) share its links. */
function nodeOf(name: NodeId): NodeId {
  const end = name.indexOf("/");
  return end < 0 ? name : name.slice(0, end);
}

/** Undoes a fault, once. */
export function undoing(undo: () => void): Disposable {
  let done = false;
  return {
    [Symbol.dispose]: () => {
      if (done) return;
      done = true;
      undo();
    },
  };
}
