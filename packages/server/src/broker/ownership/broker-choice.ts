import { murmur3Hash } from "@pulsewire/protocol";
import type { Bundle } from "./bundle.ts";

/**
 * The broker that should own a bundle: the one whose name and the bundle's hash highest together. Every broker comes to
 * the same answer from the list alone, and a broker that goes moves its own bundles only.
 * Undefined without brokers.
 */
export function chooseBroker(bundle: Bundle, brokerIds: readonly string[]): string | undefined {
  let best: string | undefined;
  let bestScore = -1;
  for (const brokerId of brokerIds) {
    const score = murmur3Hash(`${brokerId}|${bundle.name}`);
    if (score > bestScore) {
      best = brokerId;
      bestScore = score;
    }
  }
  return best;
}
