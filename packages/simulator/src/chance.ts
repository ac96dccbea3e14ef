import type { Random } from "@pulsewire/runtime";

/** A time between the two, in ms with fractions. Draws nothing where there is nothing to choose. */
export function between(random: Random, minMs: number, maxMs: number): number {
  return maxMs > minMs ? minMs + random.float() * (maxMs - minMs) : minMs;
}

/** Whether something of this probability happens. Draws nothing where it cannot, so that a fault off costs no number. */
export function happens(random: Random, probability: number): boolean {
  return probability > 0 && random.float() < probability;
}
