import { Backoff } from "@pulsewire/runtime";
import type { ClientContext } from "../client-context.ts";
import { type PulsarError, toPulsarError } from "../errors.ts";

/**
 * Repeats an operation while it fails in a retryable way, with growing delays, until `operationTimeoutMs` have passed or the
 * client is closed.
 */
export async function retrying<T>(
  context: Pick<ClientContext, "runtime" | "operationTimeoutMs" | "waits">,
  operation: () => Promise<T>,
): Promise<T> {
  const { clock, random } = context.runtime;
  const backoff = new Backoff(random);
  const deadlineMs = clock.monotonicMs() + context.operationTimeoutMs;
  for (;;) {
    try {
      return await operation();
    } catch (error) {
      const failure: PulsarError = toPulsarError(error);
      const waitMs = backoff.nextMs();
      if (!failure.retryable || clock.monotonicMs() + waitMs >= deadlineMs) throw failure;
      await context.waits.pause(waitMs);
    }
  }
}
