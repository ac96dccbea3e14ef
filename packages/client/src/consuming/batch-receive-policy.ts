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

export function resolveBatchPolicy(policy: BatchReceivePolicy = {}): ResolvedBatchPolicy {
  if (typeof policy !== "object" || policy === null) {
    throw new InvalidConfigurationError(
      `batchReceivePolicy takes { maxNumMessages, maxNumBytes, timeoutMs }, not ${describe(policy)}`,
    );
  }
  knownOptions("batchReceivePolicy", policy, { maxNumMessages: true, maxNumBytes: true, timeoutMs: true });
  const resolved = {
    maxNumMessages: wholeNumber("batchReceivePolicy.maxNumMessages", policy.maxNumMessages, Number.MAX_SAFE_INTEGER, 1),
    maxNumBytes: wholeNumber("batchReceivePolicy.maxNumBytes", policy.maxNumBytes, 10 * 1024 * 1024, 1),
    timeoutMs: wholeNumber("batchReceivePolicy.timeoutMs", policy.timeoutMs, 100),
  };
  if (resolved.timeoutMs === 0 && policy.maxNumMessages === undefined && policy.maxNumBytes === undefined) {
    throw new InvalidConfigurationError("batchReceivePolicy without timeoutMs takes maxNumMessages or maxNumBytes");
  }
  return resolved;
}
