import { describe, knownOptions, wholeNumber } from "../check-options.ts";
import { InvalidConfigurationError } from "../errors.ts";

/** When `batchReceive` has enough: at the first of the three. */
export interface BatchReceivePolicy {
  /** Default: no limit but the receiver queue's. */
  maxNumMessages?: number;
  /** Payload bytes. Default 10,485,760 (10 MiB). */
  maxNumBytes?: number;
  /** 0 waits forever. Default 100. */
  timeoutMs?: number;
}

export interface ResolvedBatchPolicy {
  readonly maxNumMessages: number;
  readonly maxNumBytes: number;
  readonly timeoutMs: number;
}

/** `what` is where it was given. Throws an InvalidConfigurationError. */
export function resolveBatchPolicy(policy: BatchReceivePolicy = {}, what = "batchReceivePolicy"): ResolvedBatchPolicy {
  if (typeof policy !== "object" || policy === null) {
    throw new InvalidConfigurationError(
      `${what} takes { maxNumMessages, maxNumBytes, timeoutMs }, not ${describe(policy)}`,
    );
  }
  knownOptions(what, policy, { maxNumMessages: true, maxNumBytes: true, timeoutMs: true });
  const resolved = {
    maxNumMessages: wholeNumber(`${what}.maxNumMessages`, policy.maxNumMessages, Number.MAX_SAFE_INTEGER, 1),
    maxNumBytes: wholeNumber(`${what}.maxNumBytes`, policy.maxNumBytes, 10 * 1024 * 1024, 1),
    timeoutMs: wholeNumber(`${what}.timeoutMs`, policy.timeoutMs, 100),
  };
  if (resolved.timeoutMs === 0 && policy.maxNumMessages === undefined && policy.maxNumBytes === undefined) {
    throw new InvalidConfigurationError(`${what} without timeoutMs takes maxNumMessages or maxNumBytes`);
  }
  return resolved;
}
