import type { NodeId, Random } from "@pulsewire/runtime";
import { Links } from "./links.ts";
import { SimulatedNode } from "./simulated-node.ts";
import type { Timeline } from "./timeline.ts";
import { Trace, type TraceOptions } from "./trace.ts";

/** What all simulated devices share: time, chance, the trace, the links between nodes, the nodes. */
export class World {
  readonly timeline: Timeline;
  readonly random: Random;
  readonly trace: Trace;
  readonly links: Links;
  readonly #nodes = new Map<NodeId, SimulatedNode>();

  constructor(random: Random, timeline: Timeline, trace: TraceOptions) {
    this.timeline = timeline;
    this.random = random;
    this.trace = new Trace(() => this.timeline.elapsedMs, trace);
    this.timeline.trace = this.trace;
    this.links = new Links((what) => this.trace.note("links", what));
  }

  /** The node of a name, made when it is first asked for. */
  node(name: NodeId): SimulatedNode {
    let node = this.#nodes.get(name);
    if (node === undefined) {
      node = new SimulatedNode(name, this.timeline);
      this.#nodes.set(name, node);
    }
    return node;
  }
}
