import type { Messenger, NodeId, Random } from "@pulsewire/runtime";
import { between, happens } from "./chance.ts";
import { type MessengerFaults, NO_MESSENGER_FAULTS } from "./faults.ts";
import type { World } from "./world.ts";

type Receive = (from: NodeId, message: unknown) => void;

interface Link {
  random: Random;
  /** When the last message in order arrives: none in order arrives before it. */
  lastDueMs: number;
}

/** Datagrams between simulated nodes, with every fault there is. One for all nodes. */
export class SimulatedMessenger implements Messenger {
  /** May be changed at any time. */
  readonly faults: MessengerFaults;
  readonly #world: World;
  readonly #random: Random;
  readonly #nodes = new Map<NodeId, { receive: Receive; incarnation: number }>();
  /** By sender and receiver. */
  readonly #links = new Map<NodeId, Map<NodeId, Link>>();

  constructor(world: World, faults: Partial<MessengerFaults> = {}) {
    this.#world = world;
    this.#random = world.random.fork("messenger");
    this.faults = Object.seal({ ...NO_MESSENGER_FAULTS, ...faults });
  }

  attach(name: NodeId, receive: Receive): Disposable {
    const { incarnation } = this.#world.node(name);
    const before = this.#nodes.get(name);
    if (before !== undefined && before.incarnation === incarnation) {
      throw new Error(`a node named ${name} is attached already`);
    }
    const attached = { receive, incarnation };
    this.#nodes.set(name, attached);
    return {
      [Symbol.dispose]: () => {
        if (this.#nodes.get(name) === attached) this.#nodes.delete(name);
      },
    };
  }

  send(from: NodeId, to: NodeId, message: unknown): void {
    const { links, trace } = this.#world;
    if (this.#world.node(from).state === "crashed") return;
    trace.mixValue(message);
    const link = this.#link(from, to);
    if (links.isBlocked(from, to)) trace.note(from, `> ${to} ${nameOf(message)}: blocked`);
    else if (happens(link.random, this.faults.lossProbability)) trace.note(from, `> ${to} ${nameOf(message)}: lost`);
    else {
      this.#carry(link, from, to, message, "");
      if (happens(link.random, this.faults.duplicateProbability)) this.#carry(link, from, to, message, " (again)");
    }
  }

  #carry(link: Link, from: NodeId, to: NodeId, message: unknown, mark: string): void {
    const { timeline, links, trace } = this.#world;
    const { delayMsMin, delayMsMax, reorderProbability, reorderDelayMsMax } = this.faults;
    const delayMs = between(link.random, delayMsMin, delayMsMax) + links.extraDelayMs(from, to);
    let dueMs = timeline.elapsedMs + delayMs;
    if (happens(link.random, reorderProbability)) dueMs += between(link.random, 0, reorderDelayMsMax);
    else {
      dueMs = Math.max(dueMs, link.lastDueMs);
      link.lastDueMs = dueMs;
    }
    trace.note(from, `> ${to} ${nameOf(message)}${mark}`);
    const receiver = this.#world.node(to);
    timeline.at(dueMs, () => this.#deliver(from, to, message), receiver);
  }

  #deliver(from: NodeId, to: NodeId, message: unknown): void {
    const attached = this.#nodes.get(to);
    // a node that is gone answers nothing, as an unreachable host would
    if (attached === undefined || attached.incarnation !== this.#world.node(to).incarnation) return;
    attached.receive(from, message);
  }

  #link(from: NodeId, to: NodeId): Link {
    const known = this.#links.get(from)?.get(to);
    if (known !== undefined) return known;
    const link = { random: this.#random.fork(`${from}>${to}`), lastDueMs: 0 };
    const links = this.#links.get(from) ?? new Map<NodeId, Link>();
    this.#links.set(from, links.set(to, link));
    return link;
  }
}

/** What a message calls itself, for the trace. */
function nameOf(message: unknown): string {
  if (typeof message !== "object" || message === null) return String(message);
  const { type, requestId } = message as { type?: unknown; requestId?: unknown };
  if (type === undefined) return "message";
  return requestId === undefined ? String(type) : `${type} ${requestId}`;
}
