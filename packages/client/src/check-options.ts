import { InvalidConfigurationError } from "./errors.ts";

/** A whole number of at least `min`, or the default where none was given. */
export function wholeNumber(name: string, value: unknown, otherwise: number, min = 0): number {
  if (value === undefined) return otherwise;
  if (typeof value !== "number" || !Number.isSafeInteger(value) || value < min) {
    throw new InvalidConfigurationError(`${name} takes a whole number of at least ${min}, not ${describe(value)}`);
  }
  return value;
}

export function trueOrFalse(name: string, value: unknown, otherwise: boolean): boolean {
  if (value === undefined) return otherwise;
  if (typeof value !== "boolean") {
    throw new InvalidConfigurationError(`${name} takes true or false, not ${describe(value)}`);
  }
  return value;
}

/** A text that is not empty. */
export function text(name: string, value: unknown): string {
  if (typeof value !== "string" || value === "") {
    throw new InvalidConfigurationError(`${name} takes a text that is not empty, not ${describe(value)}`);
  }
  return value;
}

export function optionalText(name: string, value: unknown): string | undefined {
  return value === undefined ? undefined : text(name, value);
}

export function oneOf<T extends string>(name: string, value: unknown, allowed: readonly T[], otherwise: T): T {
  if (value === undefined) return otherwise;
  const found = allowed.find((a) => a === value);
  if (found === undefined) {
    throw new InvalidConfigurationError(`${name} takes one of ${allowed.join(", ")}, not ${describe(value)}`);
  }
  return found;
}

/** A function, where one was given. */
export function optionalFunction<T>(name: string, value: T | undefined): T | undefined {
  if (value !== undefined && typeof value !== "function") {
    throw new InvalidConfigurationError(`${name} takes a function, not ${describe(value)}`);
  }
  return value;
}

/** Texts by name, as properties are. */
export function textRecord(name: string, value: unknown): Readonly<Record<string, string>> | undefined {
  if (value === undefined) return undefined;
  if (typeof value !== "object" || value === null) {
    throw new InvalidConfigurationError(`${name} takes an object of texts, not ${describe(value)}`);
  }
  for (const [key, entry] of Object.entries(value)) {
    if (typeof entry !== "string") {
      throw new InvalidConfigurationError(`${name}.${key} takes a text, not ${describe(entry)}`);
    }
  }
  return value as Readonly<Record<string, string>>;
}

/**
 * Throws for a name that is no option: JavaScript lets a misspelt one through, which would silently do nothing. `names` has
 * each option's name as a key; `what` is who takes them, as in "a producer".
 */
export function knownOptions(what: string, options: object, names: Readonly<Record<string, true>>): void {
  for (const name of Object.keys(options)) {
    if (Object.hasOwn(names, name)) continue;
    throw new InvalidConfigurationError(`${what} has no option ${JSON.stringify(name)}${suggestion(name, names)}`);
  }
}

/**
 * As `knownOptions`, for options that may be left out: throws for what is no object either. `what` is the call that takes
 * them, or the option they are given by.
 */
export function checkOptions(what: string, options: unknown, names: Readonly<Record<string, true>>): void {
  if (options === undefined) return;
  if (typeof options !== "object" || options === null || Array.isArray(options)) {
    const known = Object.keys(names).join(", ");
    throw new InvalidConfigurationError(`${what} takes an object with ${known}, not ${describe(options)}`);
  }
  knownOptions(what, options, names);
}

/**
 * Throws for a function whose name is nearly, and not quite, that of one that would be called. For objects of the
 * application's own, which may have other things too.
 */
export function knownFunctions(what: string, object: object, names: Readonly<Record<string, true>>): void {
  for (const [name, value] of Object.entries(object)) {
    if (typeof value !== "function" || Object.hasOwn(names, name)) continue;
    const hint = suggestion(name, names);
    if (hint !== "") throw new InvalidConfigurationError(`${what} has no function ${JSON.stringify(name)}${hint}`);
  }
}

/** What other clients of Pulsar, and other APIs, call an option, and what it is called here: the first that is there. */
const FOREIGN_NAMES: Readonly<Record<string, readonly string[]>> = {
  subscriptiontype: ["type"],
  subscriptionname: ["subscription"],
  subscriptioninitialposition: ["initialPosition"],
  listener: ["messageListener", "readerListener"],
  onmessage: ["messageListener", "readerListener"],
  partitionkey: ["key"],
  messagekey: ["key"],
  content: ["data"],
  payload: ["data"],
  body: ["data"],
  eventtimestamp: ["eventTime"],
  deliverafter: ["deliverAfterMs"],
  txn: ["transaction"],
  timeout: ["timeoutMs", "operationTimeoutMs", "sendTimeoutMs"],
  delay: ["delayMs"],
  abortsignal: ["signal"],
  operationtimeoutseconds: ["operationTimeoutMs"],
  url: ["serviceUrl"],
  brokerurl: ["serviceUrl"],
  auth: ["authentication"],
  log: ["logger"],
  tlstrustcertsfilepath: ["tls"],
  tlsallowinsecureconnection: ["tls"],
  tlsvalidatehostname: ["tls"],
  tlscertificatefilepath: ["tls"],
  privatekeypath: ["privateKeyPath", "cryptoKeyReader"],
  publickeypath: ["cryptoKeyReader"],
  encryptionkey: ["encryptionKeys"],
  ackgrouptimems: ["acknowledgmentGroupTimeMs"],
  nackredeliverytimeoutms: ["negativeAckRedeliveryDelayMs"],
  nackredeliverydelayms: ["negativeAckRedeliveryDelayMs"],
  unackedmessagestimeoutms: ["ackTimeoutMs"],
  maxredeliveries: ["maxRedeliverCount"],
  name: ["consumerName", "producerName", "readerName"],
};

/**
 * The name that was meant, as the end of a sentence: what the option is called here where another client's name was given,
 * otherwise the nearest of the names; empty where none is near.
 */
export function suggestion(name: string, names: Readonly<Record<string, unknown>>): string {
  const meant = FOREIGN_NAMES[name.toLowerCase()]?.find((here) => Object.hasOwn(names, here));
  if (meant !== undefined) return `; did you mean ${meant}?`;
  let best: string | undefined;
  let bestDistance = Math.max(2, Math.floor(name.length / 3)) + 1;
  for (const candidate of Object.keys(names)) {
    const distance = editDistance(name.toLowerCase(), candidate.toLowerCase(), bestDistance);
    if (distance >= bestDistance) continue;
    best = candidate;
    bestDistance = distance;
  }
  return best === undefined ? "" : `; did you mean ${best}?`;
}

/** How many letters have to be changed, or `max` where it is that many or more. */
function editDistance(a: string, b: string, max: number): number {
  if (Math.abs(a.length - b.length) >= max) return max;
  let row = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const replaced = (row[j - 1] as number) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(replaced, (row[j] as number) + 1, (next[j - 1] as number) + 1));
    }
    row = next;
  }
  return Math.min(max, row[b.length] as number);
}

/** A value as an error's text shows it. */
export function describe(value: unknown): string {
  if (typeof value === "string") return JSON.stringify(value);
  if (typeof value === "object" && value !== null) return Array.isArray(value) ? "an array" : "an object";
  return String(value);
}
