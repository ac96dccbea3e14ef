import type { Messenger, NodeId } from "../messenger.ts";

interface Letter {
  from: NodeId;
  to: NodeId;
  message: unknown;
}

/** Delivers every message once, in order, in a microtask: many sent in one turn cost one. */
class MemoryMessenger implements Messenger {
  readonly #nodes = new Map<NodeId, (from: NodeId, message: unknown) => void>();
  #letters: Letter[] = [];

  attach(node: NodeId, receive: (from: NodeId, message: unknown) => void): Disposable {
    if (this.#nodes.has(node)) throw new Error(`a node named ${node} is attached already`);
    this.#nodes.set(node, receive);
    return {
      [Symbol.dispose]: () => {
        if (this.#nodes.get(node) === receive) this.#nodes.delete(node);
      },
    };
  }

  send(from: NodeId, to: NodeId, message: unknown): void {
    this.#letters.push({ from, to, message });
    if (this.#letters.length === 1) queueMicrotask(() => this.#deliver());
  }

  #deliver(): void {
    const letters = this.#letters;
    this.#letters = [];
    // a node that is gone answers nothing, as an unreachable host would
    for (const { from, to, message } of letters) this.#nodes.get(to)?.(from, message);
  }
}

/** A messenger within the process, without faults. */
export function createMemoryMessenger(): Messenger {
  return new MemoryMessenger();
}
