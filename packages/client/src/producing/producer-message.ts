import { suggestion } from "../check-options.ts";
import { InvalidConfigurationError, PulsarError } from "../errors.ts";
import type { Schema } from "../schema/schema.ts";
import type { Transaction } from "../transactions/transaction.ts";

/** A message to send. */
export interface ProducerMessage<T = Uint8Array> {
  /** What the producer's schema makes the payload of; takes the place of `data`. */
  value?: T;
  /**
   * The payload; a text goes as UTF-8, `null` is Pulsar's null value (a tombstone on a compacted topic). Bytes must not
   * change until `send` has resolved. Default: empty.
   */
  data?: Uint8Array | string | null;
  properties?: Readonly<Record<string, string>>;
  /** Decides the partition, what compaction keeps, and for Key_Shared the consumer. Bytes travel as base64. */
  key?: string | Uint8Array;
  /** Takes the place of the key in Key_Shared dispatch and in batching by key. */
  orderingKey?: string | Uint8Array;
  /** When what the message tells of happened, in ms since 1970. */
  eventTime?: number;
  /** Takes the place of the producer's own count; for deduplication, must rise. */
  sequenceId?: number;
  /** Not delivered before this time, in ms since 1970; to Shared and Key_Shared subscriptions only. */
  deliverAt?: number;
  /** The same as a delay from now, in ms. */
  deliverAfterMs?: number;
  /** The clusters to replicate to. Default: the namespace's. */
  replicationClusters?: readonly string[];
  /** Keeps the message in its cluster. */
  disableReplication?: boolean;
  /** Stored at once, delivered when the transaction is committed. */
  transaction?: Transaction;
  /** Makes the payload of this message's `value` in place of the producer's schema; registered with the topic first. */
  schema?: Schema<T, unknown>;
}

/** A message whose value was encoded by a schema of its own. */
export interface VersionedMessage extends ProducerMessage {
  readonly schemaVersion?: Uint8Array | undefined;
}

const utf8 = new TextEncoder();
const EMPTY = new Uint8Array(0);

/** The bytes of a message's payload. */
export function payloadOf(message: ProducerMessage): Uint8Array {
  const { data } = message;
  if (typeof data === "string") return utf8.encode(data);
  if (data === undefined || data === null) return EMPTY;
  if (data instanceof Uint8Array) return data;
  throw new PulsarError("InvalidMessage", "data takes a Uint8Array, a text or null");
}

const FIELDS: Readonly<Record<keyof VersionedMessage, true>> = {
  value: true,
  data: true,
  properties: true,
  key: true,
  orderingKey: true,
  eventTime: true,
  sequenceId: true,
  deliverAt: true,
  deliverAfterMs: true,
  replicationClusters: true,
  disableReplication: true,
  transaction: true,
  schema: true,
  schemaVersion: true,
};

/**
 * Throws for what is no message: JavaScript lets a number, an array or a misspelt field through, which would be stored
 * as an empty message. To be asked only where `data` is missing.
 */
function checkEmpty(message: unknown): void {
  if (typeof message !== "object" || message === null || Array.isArray(message) || !isPlain(message)) {
    throw new PulsarError("InvalidMessage", "send takes a text, a Uint8Array, or a message with its data");
  }
  if (Object.values(message).some((given) => given !== undefined)) return;
  throw new PulsarError(
    "InvalidMessage",
    "a message has data or a value; for an empty payload give data as an empty text",
  );
}

/** A misspelt field would be left out without a word. */
function checkFields(message: ProducerMessage): void {
  for (const field in message) {
    if (field in FIELDS || !Object.hasOwn(message, field)) continue;
    throw new PulsarError("InvalidMessage", `${field} is no field of a message${suggestion(field, FIELDS)}`);
  }
}

function isPlain(value: object): boolean {
  return !ArrayBuffer.isView(value) && !(value instanceof ArrayBuffer);
}

/** Throws for a field no broker could take. Looks only at what is there. */
export function checkMessage(message: ProducerMessage): void {
  if (message === null || message === undefined || message.data === undefined) checkEmpty(message);
  checkFields(message);
  const { properties, key, orderingKey, eventTime, sequenceId, deliverAt, deliverAfterMs } = message;
  if (properties !== undefined) checkProperties(properties);
  if (key !== undefined) checkKey("key", key);
  if (orderingKey !== undefined) checkKey("orderingKey", orderingKey);
  if (eventTime !== undefined) checkNumber("eventTime", eventTime);
  if (sequenceId !== undefined) checkNumber("sequenceId", sequenceId);
  if (deliverAt !== undefined) checkNumber("deliverAt", deliverAt);
  if (deliverAfterMs !== undefined) checkNumber("deliverAfterMs", deliverAfterMs);
  checkReplication(message);
}

function checkProperties(properties: Readonly<Record<string, string>>): void {
  if (typeof properties !== "object" || properties === null) {
    throw new InvalidConfigurationError("properties takes an object of texts");
  }
  for (const name in properties) {
    if (typeof properties[name] !== "string") throw new InvalidConfigurationError(`properties.${name} takes a text`);
  }
}

function checkReplication({ replicationClusters, disableReplication }: ProducerMessage): void {
  if (disableReplication !== undefined && typeof disableReplication !== "boolean") {
    throw new InvalidConfigurationError("disableReplication takes true or false");
  }
  if (replicationClusters === undefined) return;
  // a text would go for an array of its letters
  if (Array.isArray(replicationClusters) && replicationClusters.every((c) => typeof c === "string" && c !== "")) return;
  throw new InvalidConfigurationError("replicationClusters takes an array of the names of clusters");
}

function checkKey(name: string, key: unknown): void {
  if (typeof key === "string" || key instanceof Uint8Array) return;
  throw new InvalidConfigurationError(`${name} takes a text or a Uint8Array`);
}

function checkNumber(name: string, value: unknown): void {
  if (typeof value === "number" && Number.isSafeInteger(value) && value >= 0) return;
  throw new InvalidConfigurationError(`${name} takes a whole number of at least 0, not ${String(value)}`);
}

/** A key as the wire has it. */
export interface WireKey {
  readonly text: string;
  readonly base64: boolean;
}

export function wireKey(key: string | Uint8Array): WireKey {
  return typeof key === "string" ? { text: key, base64: false } : { text: toBase64(key), base64: true };
}

export function toBase64(bytes: Uint8Array): string {
  let binary = "";
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return btoa(binary);
}

export function keyBytes(key: string | Uint8Array): Uint8Array {
  return typeof key === "string" ? utf8.encode(key) : key;
}

/** A delay and a choice of clusters hold for a whole entry, so such a message travels alone. */
export function batchable(message: ProducerMessage): boolean {
  return (
    message.deliverAt === undefined &&
    message.deliverAfterMs === undefined &&
    message.replicationClusters === undefined &&
    message.disableReplication !== true
  );
}
