import type {
  Channel,
  Clock,
  HttpHandlers,
  Messenger,
  Network,
  NodeId,
  ServerRuntime,
  Timer,
  TimerOptions,
} from "@pulsewire/runtime";
import type { FaultLinks } from "./fault-links.ts";
import type { NodeGate } from "./node-gate.ts";

/** The ports of one process of a node: what comes in waits while the node stands still, and is lost once it is dead. */
export function gatedRuntime(runtime: ServerRuntime, gate: NodeGate, links: FaultLinks): ServerRuntime {
  return {
    ...runtime,
    clock: gatedClock(runtime.clock, gate),
    messenger: gatedMessenger(runtime.messenger, runtime.clock, gate, links),
    network: gatedNetwork(runtime.network, gate),
  };
}

function gatedClock(clock: Clock, gate: NodeGate): Clock {
  return {
    now: () => clock.now(),
    monotonicMs: () => clock.monotonicMs(),
    setTimer: (delayMs, callback, options) => gatedTimer(clock, gate, delayMs, callback, options),
    setTicker: (periodMs, callback, options) => gatedTicker(clock, gate, periodMs, callback, options),
    soon: (callback) => clock.soon(() => gate.pass(callback)),
  };
}

/** One that went off while the node stood still can still be cancelled. */
function gatedTimer(
  clock: Clock,
  gate: NodeGate,
  delayMs: number,
  callback: () => void,
  options: TimerOptions | undefined,
): Timer {
  let cancelled = false;
  const due = (): void => {
    if (!cancelled) callback();
  };
  const wentOff = (): void => {
    gate.released(held);
    gate.pass(due);
  };
  const timer = clock.setTimer(delayMs, wentOff, options);
  const held = heldTimer(gate, timer);
  return {
    cancel: () => {
      cancelled = true;
      gate.released(held);
      timer.cancel();
    },
  };
}

/** What waits for hours would keep all of a dead process in memory for as long. */
function heldTimer(gate: NodeGate, timer: Timer): Disposable {
  const held = { [Symbol.dispose]: () => timer.cancel() };
  if (gate.dead) timer.cancel();
  else gate.holds(held);
  return held;
}

/** Periods that pass while the node stands still are one when it goes on. */
function gatedTicker(
  clock: Clock,
  gate: NodeGate,
  periodMs: number,
  callback: () => void,
  options: TimerOptions | undefined,
): Timer {
  let [cancelled, waiting] = [false, false];
  const due = (): void => {
    waiting = false;
    if (!cancelled) callback();
  };
  const tick = (): void => {
    if (waiting) return;
    waiting = true;
    gate.pass(due);
  };
  const ticker = clock.setTicker(periodMs, tick, options);
  const held = heldTimer(gate, ticker);
  return {
    cancel: () => {
      cancelled = true;
      gate.released(held);
      ticker.cancel();
    },
  };
}

function gatedMessenger(messenger: Messenger, clock: Clock, gate: NodeGate, links: FaultLinks): Messenger {
  return {
    attach: (node, receive) => {
      const attached = messenger.attach(node, (from, message) => {
        if (gate.open) receive(from, message);
        else gate.pass(() => receive(from, message));
      });
      gate.holds(attached);
      return {
        [Symbol.dispose]: () => {
          gate.released(attached);
          attached[Symbol.dispose]();
        },
      };
    },
    send: (from, to, message) => {
      if (gate.open && links.clear) messenger.send(from, to, message);
      else gate.pass(() => carry(messenger, clock, links, from, to, message));
    },
  };
}

function carry(
  messenger: Messenger,
  clock: Clock,
  links: FaultLinks,
  from: NodeId,
  to: NodeId,
  message: unknown,
): void {
  if (links.isBlocked(from, to)) return;
  const delayMs = links.extraDelayMs(from, to);
  if (delayMs === 0) messenger.send(from, to, message);
  else clock.setTimer(delayMs, () => messenger.send(from, to, message));
}

function gatedNetwork(network: Network, gate: NodeGate): Network {
  const taking = (onChannel: (channel: Channel) => void) => (channel: Channel) => {
    if (gate.dead) channel.destroy();
    else gate.pass(() => onChannel(channel));
  };
  return {
    fetch: (request, options) => network.fetch(request, options),
    connect: (address, options) => network.connect(address, options),
    listen: (options, onChannel) => network.listen(options, taking(onChannel)),
    listenHttp: (options, handlers) => network.listenHttp(options, gatedHandlers(handlers, gate, taking)),
  };
}

function gatedHandlers(
  handlers: HttpHandlers,
  gate: NodeGate,
  taking: (onChannel: (channel: Channel) => void) => (channel: Channel) => void,
): HttpHandlers {
  const answering = async (request: Request, remoteAddress: string): Promise<Response> => {
    if (!gate.open) await gate.passed();
    return handlers.fetch(request, remoteAddress);
  };
  const { upgrade } = handlers;
  if (upgrade === undefined) return { fetch: answering };
  return {
    fetch: answering,
    upgrade: (url, headers) => {
      const acceptor = upgrade(url, headers);
      return acceptor && { ...acceptor, accept: taking((channel) => acceptor.accept(channel)) };
    },
  };
}
