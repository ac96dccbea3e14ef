import { comparePlaces, type Delivered, type History, type Place, type Seen, textOfPlace } from "../history.ts";
import type { Checker } from "./log-checkers.ts";

/** A copy may lie in the queue of a consumer that was there already for so long before the application gets it, in ms. */
const QUEUED_MS_MAX = 20_000;

interface Group {
  topic: string;
  subscription: string;
  delivered: Delivered[];
}

function groupsOf(history: History): Group[] {
  const groups = new Map<string, Group>();
  for (const delivered of history.delivered) {
    const { topic, subscription } = delivered;
    const key = `${topic} ${subscription}`;
    const group = groups.get(key) ?? { topic, subscription, delivered: [] };
    groups.set(key, group);
    group.delivered.push(delivered);
  }
  return [...groups.values()];
}

function byPlace(log: readonly Seen[]): Map<string, Seen> {
  return new Map(log.map((seen) => [textOfPlace(seen.place), seen]));
}

/** What a consumer gets is in the log, at that place. */
export const deliveredIsStored: Checker = (history) => {
  const failures: string[] = [];
  for (const { topic, subscription, delivered } of groupsOf(history)) {
    const log = byPlace(history.logs.get(topic) ?? []);
    for (const { place, text, consumer } of delivered) {
      const found = log.get(textOfPlace(place));
      if (found?.text !== text) {
        failures.push(
          `${subscription}: ${consumer} got ${text} at ${textOfPlace(place)}, where there is ${found?.text}`,
        );
      }
    }
  }
  return failures;
};

/** Every subscription got every message, from the first on. */
export const everythingIsDelivered: Checker = (history) => {
  const failures: string[] = [];
  for (const { topic, subscription, delivered } of groupsOf(history)) {
    const got = new Set(delivered.map(({ place }) => textOfPlace(place)));
    for (const { place, text } of history.logs.get(topic) ?? []) {
      if (!got.has(textOfPlace(place))) failures.push(`${topic} ${subscription}: ${text} was never delivered`);
    }
  }
  return failures;
};

/** Exclusive and Failover: messages come for the first time in the order of the log. */
export const firstDeliveriesAreInOrder: Checker = (history) =>
  groupsOf(history)
    .filter(({ subscription }) => subscription === "sub-Exclusive" || subscription === "sub-Failover")
    .flatMap((group) => disordered(group, () => ""));

/**
 * Key_Shared: the messages of one key come for the first time in the order of the log. A batch goes where the key of its
 * first message says, with whatever else is in it.
 */
export const keysAreInOrder: Checker = (history) =>
  groupsOf(history)
    .filter(({ subscription }) => subscription === "sub-Key_Shared")
    .flatMap((group) => {
      const keys = new Map<string, string>();
      for (const { place, key } of history.logs.get(group.topic) ?? []) {
        if (place.batchIndex <= 0) keys.set(entryOf(place), key);
      }
      return disordered(group, ({ place, key }) => keys.get(entryOf(place)) ?? key);
    });

function entryOf({ ledgerId, entryId }: Place): string {
  return `${ledgerId}:${entryId}`;
}

function disordered({ topic, subscription, delivered }: Group, laneOf: (d: Delivered) => string): string[] {
  const failures: string[] = [];
  const highest = new Map<string, Delivered>();
  const seen = new Set<string>();
  for (const delivery of delivered) {
    const place = textOfPlace(delivery.place);
    if (seen.has(place)) continue;
    seen.add(place);
    const before = highest.get(laneOf(delivery));
    if (before !== undefined && comparePlaces(before.place, delivery.place) > 0) {
      failures.push(
        `${topic} ${subscription}: ${delivery.text} (${place}) came to ${delivery.consumer} at ${delivery.atMs} for the ` +
          `first time, behind ${before.text} (${textOfPlace(before.place)}, ${before.consumer}, ${before.atMs})`,
      );
    } else highest.set(laneOf(delivery), delivery);
  }
  return failures;
}

/** What a consumer acknowledged and the broker confirmed does not come again. */
export const confirmedStaysAcknowledged: Checker = (history) => {
  const failures: string[] = [];
  const receipts = new Map(
    history.receipts.map((r) => [`${r.topic} ${r.subscription} ${textOfPlace(r.place)}`, r] as const),
  );
  for (const { topic, subscription, place, text, consumer, atMs, openedMs = 0 } of history.delivered) {
    const receipt = receipts.get(`${topic} ${subscription} ${textOfPlace(place)}`);
    if (receipt === undefined) continue;
    if (openedMs <= receipt.atMs && atMs < receipt.atMs + QUEUED_MS_MAX) continue;
    failures.push(
      `${topic} ${subscription}: ${consumer} got ${text} at ${atMs}, which was confirmed as acknowledged at ${receipt.atMs}`,
    );
  }
  return failures;
};
