import type { NodeId, Random } from "@pulsewire/runtime";
import { between, happens } from "./chance.ts";
import type { RemoteFaults } from "./faults.ts";
import type { SimulatedNode } from "./simulated-node.ts";
import type { World } from "./world.ts";

/** Names of the methods of T that answer by a promise. */
type CallName<T> = { [K in keyof T]: T[K] extends (...args: never[]) => Promise<unknown> ? K : never }[keyof T] &
  string;

/** Names of the methods of T that take a listener last and answer what ends it. */
type WatchName<T> = { [K in keyof T]: T[K] extends (...args: never[]) => Disposable ? K : never }[keyof T] & string;

export interface RemoteOptions<T> {
  /** The node that calls. */
  caller: NodeId;
  /** The name of the service among the nodes, for the links between them. */
  service: NodeId;
  /** The methods that go over the link; all others are called as they are. */
  calls: readonly CallName<T>[];
  /** The methods whose last argument is a listener: what it is told goes over the link too, in order. */
  watches: readonly WatchName<T>[];
  /** The error of a call without an answer. */
  unavailable: (detail: string) => Error;
}

type Method = (...args: unknown[]) => unknown;

/** A service as a node has it over a link that takes time and loses calls. See `Simulation.remote`. */
export function remoteOf<T extends object>(
  world: World,
  faults: RemoteFaults,
  target: T,
  options: RemoteOptions<T>,
): T {
  const link = new RemoteLink(world, faults, options);
  const replaced = new Map<PropertyKey, Method>();
  for (const name of options.calls) replaced.set(name, (...args) => link.call(name, () => call(target, name, args)));
  for (const name of options.watches) {
    replaced.set(name, (...args) => link.watch(args, (over) => call(target, name, over) as Disposable));
  }
  return new Proxy(target, {
    get(_, property): unknown {
      const own = replaced.get(property);
      if (own !== undefined) return own;
      const value: unknown = Reflect.get(target, property, target);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
}

function call(target: object, name: string, args: readonly unknown[]): unknown {
  return (Reflect.get(target, name) as Method).apply(target, [...args]);
}

class RemoteLink {
  readonly #world: World;
  readonly #faults: RemoteFaults;
  readonly #random: Random;
  readonly #caller: SimulatedNode;
  readonly #service: NodeId;
  readonly #unavailable: (detail: string) => Error;
  #lastRequestMs = 0;
  #lastAnswerMs = 0;

  constructor(world: World, faults: RemoteFaults, options: Omit<RemoteOptions<object>, "calls" | "watches">) {
    this.#world = world;
    this.#faults = faults;
    this.#random = world.random.fork(`remote/${options.caller}>${options.service}`);
    this.#caller = world.node(options.caller);
    this.#service = options.service;
    this.#unavailable = options.unavailable;
  }

  call(name: string, execute: () => unknown): Promise<unknown> {
    const { timeline, links, trace } = this.#world;
    const caller = this.#caller;
    return new Promise((resolve, reject) => {
      const timeout = timeline.after(
        this.#faults.timeoutMs,
        () => reject(this.#unavailable(`${this.#service} did not answer ${name}`)),
        caller,
      );
      const answer = (settle: () => void): void => {
        const lost = links.isBlocked(this.#service, caller.name);
        if (lost || happens(this.#random, this.#faults.answerLossProbability)) {
          trace.note(this.#service, `> ${caller.name} ${name}: answer lost`);
          return;
        }
        this.#lastAnswerMs = this.#dueMs(this.#lastAnswerMs);
        timeline.at(
          this.#lastAnswerMs,
          () => {
            timeout.cancelled = true;
            settle();
          },
          caller,
        );
      };
      this.#request(name, async () => {
        try {
          const value = await execute();
          answer(() => resolve(value));
        } catch (error) {
          answer(() => reject(error));
        }
      });
    });
  }

  /** Sets up a watch whose listener, the last argument, is told over the link. */
  watch(args: readonly unknown[], start: (args: unknown[]) => Disposable): Disposable {
    const listener = args.at(-1) as Method;
    let active = true;
    const told: Method = (...event) => {
      this.#lastAnswerMs = this.#dueMs(this.#lastAnswerMs);
      const tell = (): void => {
        if (active) listener(...event);
      };
      this.#world.timeline.at(this.#lastAnswerMs, tell, this.#caller);
    };
    const started = start([...args.slice(0, -1), told]);
    return {
      [Symbol.dispose]: () => {
        active = false;
        started[Symbol.dispose]();
      },
    };
  }

  #request(name: string, arrive: () => Promise<void>): void {
    const { timeline, links, trace } = this.#world;
    const caller = this.#caller.name;
    const lost = links.isBlocked(caller, this.#service);
    if (lost || happens(this.#random, this.#faults.requestLossProbability)) {
      trace.note(caller, `> ${this.#service} ${name}: lost`);
      return;
    }
    trace.note(caller, `> ${this.#service} ${name}`);
    this.#lastRequestMs = this.#dueMs(this.#lastRequestMs);
    // it is on its way: it arrives even when the caller stands still or is gone by then
    timeline.at(this.#lastRequestMs, () => void arrive());
  }

  /** Calls and answers stay in order, as on one connection. */
  #dueMs(lastMs: number): number {
    const { timeline, links } = this.#world;
    const { delayMsMin, delayMsMax } = this.#faults;
    const extraMs = links.extraDelayMs(this.#caller.name, this.#service);
    return Math.max(lastMs, timeline.elapsedMs + between(this.#random, delayMsMin, delayMsMax) + extraMs);
  }
}
