import type { Clock } from "@pulsewire/runtime";
import type { AckPlace } from "./ack-tracker.ts";

/** For how long an entry counts as asked for; another consumer may have been given it. */
const ASKED_MS = 1000;

/**
 * The entries the broker was just asked to deliver again. Messages of one batch fall due a moment apart; asked for once
 * for each, the batch would come as often, and count as many redeliveries for one failure.
 */
export class AskedEntries {
  readonly #clock: Clock;
  /** Oldest first. */
  readonly #askedAtMs = new Map<string, number>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Those of the places whose entries are not asked for yet. From now on they are. */
  ask<T extends AckPlace>(places: readonly T[]): T[] {
    const nowMs = this.#clock.monotonicMs();
    for (const [key, askedAtMs] of this.#askedAtMs) {
      if (askedAtMs + ASKED_MS > nowMs) break;
      this.#askedAtMs.delete(key);
    }
    const fresh = places.filter((place) => !this.#askedAtMs.has(entryKey(place)));
    for (const place of fresh) this.#askedAtMs.set(entryKey(place), nowMs);
    return fresh;
  }

  onDelivered(place: { readonly ledgerId: number; readonly entryId: number }): void {
    if (this.#askedAtMs.size > 0) this.#askedAtMs.delete(entryKey(place));
  }

  clear(): void {
    this.#askedAtMs.clear();
  }
}

function entryKey(place: { readonly ledgerId: number; readonly entryId: number }): string {
  return `${place.ledgerId}:${place.entryId}`;
}
