import type { Clock, Timer } from "../clock.ts";
import { DELAY_MAX_MS, longTicker, longTimer } from "../kit/long-timer.ts";
import type { Random } from "../random.ts";
import type { ClientRuntime } from "../runtime.ts";
import { createWebCodec } from "./web-codec.ts";
import { webNetwork } from "./web-network.ts";

export { createWebEncryption } from "./web-encryption.ts";

function setTimer(delayMs: number, callback: () => void): Timer {
  if (delayMs > DELAY_MAX_MS) return longTimer(delayMs, callback, setTimer);
  const handle = setTimeout(callback, delayMs);
  return { cancel: () => clearTimeout(handle) };
}

const webClock: Clock = {
  now: () => Date.now(),
  monotonicMs: () => performance.now(),
  setTimer,
  setTicker(periodMs: number, callback: () => void): Timer {
    if (periodMs > DELAY_MAX_MS) return longTicker(periodMs, callback, setTimer);
    const handle = setInterval(callback, periodMs);
    return { cancel: () => clearInterval(handle) };
  },
  soon(callback: () => void): void {
    // a message is a task of its own, without the 4 ms that browsers add to nested timers
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      callback();
    };
    port2.postMessage(undefined);
  },
};

const webRandom: Random = {
  float: () => Math.random(),
  integer: (below: number) => Math.floor(Math.random() * below),
  bytes: (length: number) => crypto.getRandomValues(new Uint8Array(length)),
  fork: () => webRandom,
};

/** The ports in a page or a worker: WebSocket is the only network. */
export function createWebRuntime(): ClientRuntime {
  return { clock: webClock, random: webRandom, network: webNetwork, codec: createWebCodec() };
}
