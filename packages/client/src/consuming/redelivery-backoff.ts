import { checkOptions, describe, wholeNumber } from "../check-options.ts";
import { InvalidConfigurationError } from "../errors.ts";

/** How long to wait before a message is delivered again, in ms, by how often it already was. */
export type RedeliveryBackoff = (redeliveryCount: number) => number;

export interface MultiplierBackoffOptions {
  /** Default 1000. */
  minDelayMs?: number;
  /** Default 600,000 (10 minutes). */
  maxDelayMs?: number;
  /** Default 2. */
  multiplier?: number;
}

/**
 * Delays that grow by a factor with each redelivery, from the least to the most. Throws an InvalidConfigurationError for
 * limits that are none.
 */
export function multiplierRedeliveryBackoff(options: MultiplierBackoffOptions = {}): RedeliveryBackoff {
  checkOptions("multiplierRedeliveryBackoff", options, { minDelayMs: true, maxDelayMs: true, multiplier: true });
  const { minDelayMs = 1000, maxDelayMs = 600_000, multiplier = 2 } = options;
  wholeNumber("minDelayMs", minDelayMs, 0);
  wholeNumber("maxDelayMs", maxDelayMs, 0, minDelayMs);
  if (!(Number.isFinite(multiplier) && multiplier >= 1)) {
    throw new InvalidConfigurationError(`multiplier takes a number of at least 1, not ${describe(multiplier)}`);
  }
  return (redeliveryCount) => {
    // a power beyond the range of numbers is Infinity, and the lesser of it and the limit is the limit
    const factor = Math.min(multiplier ** Math.max(0, redeliveryCount), Number.MAX_VALUE);
    return Math.min(minDelayMs * factor, maxDelayMs);
  };
}

/** What a backoff of the application says; what it cannot have meant, or where it throws, is `otherwiseMs`. */
export function backoffMs(backoff: RedeliveryBackoff, redeliveryCount: number, otherwiseMs: number): number {
  try {
    const delayMs = backoff(redeliveryCount);
    return Number.isFinite(delayMs) && delayMs >= 0 ? delayMs : otherwiseMs;
  } catch {
    // a message must not be lost, nor a receive fail, by a miscalculated delay
    return otherwiseMs;
  }
}
