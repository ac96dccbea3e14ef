import { comparePlaces, type History, type Seen, type Sent, textOfPlace } from "../history.ts";

/** Answers what is wrong, one line each. */
export type Checker = (history: History) => string[];

function logOf(history: History, topic: string): readonly Seen[] {
  return history.logs.get(topic) ?? [];
}

/**
 * What was acknowledged to a producer is in the log, where the producer was told. A broker that has it already tells no
 * place: then it is there somewhere.
 */
export const acknowledgedIsStored: Checker = (history) => {
  const failures: string[] = [];
  for (const [topic, log] of history.logs) {
    const byPlace = new Map(log.map((seen) => [textOfPlace(seen.place), seen.text]));
    const texts = new Set(log.map((seen) => seen.text));
    for (const { outcome, text } of history.sent.filter((s) => s.topic === topic)) {
      if (outcome.kind !== "stored") continue;
      const place = textOfPlace(outcome.place);
      const found = outcome.place.ledgerId < 0 ? texts.has(text) && text : byPlace.get(place);
      if (found !== text) failures.push(`${topic}: ${text} was acknowledged at ${place}, where there is ${found}`);
    }
  }
  return failures;
};

/** Everything in the log was sent, and stands in the order of places. */
export const logIsWhatWasSent: Checker = (history) => {
  const failures: string[] = [];
  for (const [topic, log] of history.logs) {
    const keys = new Map(history.sent.filter((s) => s.topic === topic).map((s) => [s.text, s.key]));
    for (const [i, { text, key, place }] of log.entries()) {
      if (keys.get(text) !== key) failures.push(`${topic}: ${text} (${key}) at ${textOfPlace(place)} was never sent`);
      const before = log[i - 1];
      if (before !== undefined && comparePlaces(before.place, place) >= 0) {
        failures.push(`${topic}: ${textOfPlace(place)} comes behind ${textOfPlace(before.place)}`);
      }
    }
  }
  return failures;
};

/** The messages of one lane stand in the order they were sent; of one that came twice, the first counts. */
export const producersKeepTheirOrder: Checker = (history) => {
  const failures: string[] = [];
  for (const topic of history.logs.keys()) {
    const numbers = new Map<string, [lane: string, number: number]>();
    const counts = new Map<string, number>();
    for (const { lane, text } of history.sent.filter((s) => s.topic === topic)) {
      const number = counts.get(lane) ?? 0;
      counts.set(lane, number + 1);
      numbers.set(text, [lane, number]);
    }
    failures.push(...outOfOrder(topic, firsts(logOf(history, topic)), numbers));
  }
  return failures;
};

function outOfOrder(
  topic: string,
  log: readonly Seen[],
  numbers: ReadonlyMap<string, [lane: string, number: number]>,
): string[] {
  const failures: string[] = [];
  const last = new Map<string, number>();
  for (const { text } of log) {
    const found = numbers.get(text);
    if (found === undefined) continue;
    const [lane, number] = found;
    if (number < (last.get(lane) ?? -1)) failures.push(`${topic}: ${text} stands behind a later one of ${lane}`);
    last.set(lane, Math.max(number, last.get(lane) ?? -1));
  }
  return failures;
}

function firsts(log: readonly Seen[]): Seen[] {
  const seen = new Set<string>();
  return log.filter(({ text }) => !seen.has(text) && seen.add(text));
}

/** Under deduplication nothing is in the log twice. */
export const nothingIsStoredTwice: Checker = (history) => {
  const failures: string[] = [];
  for (const [topic, log] of history.logs) {
    const places = new Map<string, string>();
    for (const { text, place } of log) {
      const before = places.get(text);
      if (before !== undefined) failures.push(`${topic}: ${text} is at ${before} and at ${textOfPlace(place)}`);
      places.set(text, textOfPlace(place));
    }
  }
  return failures;
};

/** Readers that followed saw what the log holds, in its order, each message once, and left nothing out. */
export const readersSeeOneSequence: Checker = (history) => {
  const failures: string[] = [];
  for (const [reader, seen] of history.followed) {
    const topic = seen[0]?.topic;
    if (topic === undefined) continue;
    const log = logOf(history, topic);
    for (const [i, { place, text }] of seen.entries()) {
      const expected = log[i];
      if (expected !== undefined && expected.text === text && comparePlaces(expected.place, place) === 0) continue;
      const there = expected === undefined ? "nothing" : `${expected.text} at ${textOfPlace(expected.place)}`;
      failures.push(`${reader}: number ${i} is ${text} at ${textOfPlace(place)}, in the log there is ${there}`);
      break;
    }
    if (seen.length < log.length) failures.push(`${reader} saw ${seen.length} of ${log.length} messages of ${topic}`);
  }
  return failures;
};

/** Every send was settled in the end. */
export const sendsSettle: Checker = (history) =>
  history.sent
    .filter((sent: Sent) => sent.outcome.kind === "pending")
    .map(({ topic, text }) => `${topic}: the send of ${text} was never settled`);
