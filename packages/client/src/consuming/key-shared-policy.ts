import { describe, knownOptions, oneOf, trueOrFalse } from "../check-options.ts";
import { InvalidConfigurationError } from "../errors.ts";
import type { SubscriptionType } from "./subscription-type.ts";

/** How a Key_Shared consumer wants its share of the 65,536 key hashes. */
export type KeySharedPolicy =
  | { mode: "AutoSplit"; allowOutOfOrderDelivery?: boolean }
  | { mode: "Sticky"; ranges: readonly (readonly [first: number, last: number])[]; allowOutOfOrderDelivery?: boolean };

/** Throws an InvalidConfigurationError for what is no policy, or none of such a subscription. */
export function checkKeyShared(
  policy: KeySharedPolicy | undefined,
  type: SubscriptionType,
): KeySharedPolicy | undefined {
  if (policy === undefined) return undefined;
  if (type !== "Key_Shared")
    throw new InvalidConfigurationError("keySharedPolicy takes a subscription of type Key_Shared");
  if (typeof policy !== "object" || policy === null) {
    throw new InvalidConfigurationError(`keySharedPolicy takes { mode }, not ${describe(policy)}`);
  }
  knownOptions("keySharedPolicy", policy, { mode: true, ranges: true, allowOutOfOrderDelivery: true });
  oneOf("keySharedPolicy.mode", policy.mode, ["AutoSplit", "Sticky"] as const, "AutoSplit");
  trueOrFalse("keySharedPolicy.allowOutOfOrderDelivery", policy.allowOutOfOrderDelivery, false);
  if (policy.mode !== "Sticky") return policy;
  checkHashRanges("keySharedPolicy.ranges", policy.ranges);
  return policy;
}

/** Throws an InvalidConfigurationError for what are no ranges of key hashes, or overlap. */
export function checkHashRanges(name: string, ranges: unknown): void {
  if (!Array.isArray(ranges) || ranges.length === 0) {
    throw new InvalidConfigurationError(`${name} takes at least one [first, last]`);
  }
  for (const range of ranges) {
    const [first, last] = Array.isArray(range) ? range : [];
    const whole = Number.isInteger(first) && Number.isInteger(last);
    if (!whole || first < 0 || first > last || last > 65_535) {
      throw new InvalidConfigurationError(`${name} takes pairs from 0 to 65535, not [${first}, ${last}]`);
    }
  }
  const sorted = [...(ranges as [number, number][])].sort((a, b) => a[0] - b[0]);
  for (const [i, [first, last]] of sorted.entries()) {
    const next = sorted[i + 1];
    if (next === undefined || next[0] > last) continue;
    const both = `[${first}, ${last}] and [${next[0]}, ${next[1]}]`;
    throw new InvalidConfigurationError(`${name} takes ranges that do not overlap, not ${both}`);
  }
}
