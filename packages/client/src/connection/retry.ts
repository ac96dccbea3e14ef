import { Backoff, type Clock, type Random } from "@pulsewire/runtime";
import { type PulsarError, toPulsarError } from "../errors.ts";

/** Waits. The timer keeps the process alive: somebody waits for what comes after it. */
export function delay(clock: Clock, ms: number): Promise<void> {
  return new Promise((resolve) => {
    clock.setTimer(ms, resolve, { keepAlive: true });
  });
}

/** Repeats an operation while it fails in a retryable way, with growing delays, until `timeoutMs` have passed. */
export async function retrying<T>(
  ports: { clock: Clock; random: Random },
  timeoutMs: number,
  operation: () => Promise<T>,
): Promise<T> {
  const backoff = new Backoff(ports.random);
  const deadlineMs = ports.clock.monotonicMs() + timeoutMs;
  for (;;) {
    try {
      return await operation();
    } catch (error) {
      const failure: PulsarError = toPulsarError(error);
      const waitMs = backoff.nextMs();
      if (!failure.retryable || ports.clock.monotonicMs() + waitMs >= deadlineMs) throw failure;
      await delay(ports.clock, waitMs);
    }
  }
}
