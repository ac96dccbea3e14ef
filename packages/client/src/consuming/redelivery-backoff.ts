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

/** Delays that grow by a factor with each redelivery, from the least to the most. */
export function multiplierRedeliveryBackoff(options: MultiplierBackoffOptions = {}): RedeliveryBackoff {
  const { minDelayMs = 1000, maxDelayMs = 600_000, multiplier = 2 } = options;
  return (redeliveryCount) => {
    // a power beyond the range of numbers is Infinity, and the lesser of it and the limit is the limit
    const factor = Math.min(multiplier ** Math.max(0, redeliveryCount), Number.MAX_VALUE);
    return Math.min(minDelayMs * factor, maxDelayMs);
  };
}
