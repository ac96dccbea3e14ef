import {
  describe,
  knownOptions,
  optionalFunction,
  optionalText,
  text,
  trueOrFalse,
  wholeNumber,
} from "../check-options.ts";
import type { ClientContext } from "../client-context.ts";
import { InvalidConfigurationError } from "../errors.ts";
import type { ConsumerInterceptor } from "../interceptors/consumer-interceptor.ts";
import type { Message } from "../message.ts";
import { MessageId } from "../message-id.ts";
import type { Schema } from "../schema/schema.ts";
import type { ConsumerOptions, MessageListener, ResolvedConsumerOptions } from "./consumer-options.ts";
import { checkHashRanges, type KeySharedPolicy } from "./key-shared-policy.ts";
import { randomName } from "./open-consumer.ts";
import { type ConsumerPayloadOptions, PAYLOAD_OPTIONS } from "./payload-options.ts";
import type { Reader } from "./reader.ts";
import { resolveConsumerOptions } from "./resolve-consumer-options.ts";
import { isEarliest, type StartPosition } from "./start-position.ts";

/** What a reader takes, beside where it starts: see `ReaderOptions`. */
export interface ReaderSettings<T = Uint8Array> extends ConsumerPayloadOptions {
  topic: string;
  /** Reading starts behind it. Either this or `startMessageFromRollbackDurationMs`. */
  startMessageId?: MessageId;
  /** Reading starts with what was published so long ago, in ms, by the broker's clock and in its whole seconds. */
  startMessageFromRollbackDurationMs?: number;
  /** Start with the message of `startMessageId` itself; of `MessageId.latest`, with the last message. Default false. */
  startMessageIdInclusive?: boolean;
  /** Called with each message, one after the other; the next one waits for the promise, where there is one. */
  readerListener?: (message: Message<T>, reader: Reader<T>) => unknown;
  /** Read only keys whose hashes, from 0 to 65,535, are in one of these ranges. Default: all. */
  keyHashRanges?: readonly (readonly [first: number, last: number])[];
  readerName?: string;
  /** What the subscription's name starts with, as the topic's statistics show it. Default `reader`. */
  subscriptionRolePrefix?: string;
  /** Default 1000. */
  receiverQueueSize?: number;
  /** Read the compacted view of the topic. Default false. */
  readCompacted?: boolean;
  /** How often new partitions are looked for, in ms; 0 is never. Default 60,000. */
  autoUpdatePartitionsIntervalMs?: number;
  /** See and change what is read, called in this order. Default: none. */
  interceptors?: readonly ConsumerInterceptor[];
  /** A terminated topic was read to its end. */
  onReachedEndOfTopic?: (topic: string) => void;
  /** What `message.value` is decoded by. Default: none, values are bytes. */
  schema?: Schema<never, T>;
}

/** Where reading starts: a reader needs one of the two. */
export type ReaderStart = { startMessageId: MessageId } | { startMessageFromRollbackDurationMs: number };

export type ReaderOptions<T = Uint8Array> = ReaderSettings<T> & ReaderStart;

const READER_OPTIONS: Readonly<Record<keyof ReaderOptions, true>> = {
  topic: true,
  startMessageId: true,
  startMessageFromRollbackDurationMs: true,
  startMessageIdInclusive: true,
  readerListener: true,
  keyHashRanges: true,
  readerName: true,
  subscriptionRolePrefix: true,
  receiverQueueSize: true,
  readCompacted: true,
  autoUpdatePartitionsIntervalMs: true,
  onReachedEndOfTopic: true,
  interceptors: true,
  schema: true,
  maxPendingChunkedMessage: true,
  autoAckOldestChunkedMessageOnQueueFull: true,
  expireTimeOfIncompleteChunkedMessageMs: true,
  cryptoKeyReader: true,
  cryptoFailureAction: true,
};

/** A reader as the consumer it is made of, and where it starts. Throws an InvalidConfigurationError. */
export function resolveReaderOptions<T>(
  context: ClientContext,
  o: ReaderOptions<T>,
  listener: MessageListener,
): { consumer: ResolvedConsumerOptions; start: StartPosition } {
  if (typeof o !== "object" || o === null) {
    throw new InvalidConfigurationError(
      `a reader takes options, such as { topic, startMessageId: MessageId.earliest }, not ${describe(o)}`,
    );
  }
  knownOptions("a reader", o, READER_OPTIONS);
  const start = startOf(o, context.runtime.clock.now());
  const prefix = optionalText("subscriptionRolePrefix", o.subscriptionRolePrefix) ?? "reader";
  const readerName = optionalText("readerName", o.readerName);
  const given: ConsumerOptions = {
    topic: text("topic", o.topic),
    subscription: `${prefix}-${randomName(context)}`,
    receiverQueueSize: wholeNumber("receiverQueueSize", o.receiverQueueSize, 1000),
    readCompacted: trueOrFalse("readCompacted", o.readCompacted, false),
  };
  if (o.autoUpdatePartitionsIntervalMs !== undefined) {
    given.autoUpdatePartitionsIntervalMs = o.autoUpdatePartitionsIntervalMs;
  }
  if (o.interceptors !== undefined) given.interceptors = o.interceptors;
  if (readerName !== undefined) given.consumerName = readerName;
  if (o.onReachedEndOfTopic !== undefined) given.onReachedEndOfTopic = o.onReachedEndOfTopic;
  if (optionalFunction("readerListener", o.readerListener) !== undefined) given.messageListener = listener;
  for (const name of PAYLOAD_OPTIONS) if (o[name] !== undefined) Object.assign(given, { [name]: o[name] });
  const base = resolveConsumerOptions({ ...given, ...(o.schema === undefined ? {} : { schema: o.schema as never }) });
  const initialPosition = start.kind === "id" && !isEarliest(start.id) ? "Latest" : "Earliest";
  return { consumer: { ...base, durable: false, initialPosition, keySharedPolicy: keyRanges(o.keyHashRanges) }, start };
}

function startOf<T>(o: ReaderOptions<T>, nowMs: number): StartPosition {
  const { startMessageId, startMessageFromRollbackDurationMs: rollback } = o;
  const inclusive = trueOrFalse("startMessageIdInclusive", o.startMessageIdInclusive, false);
  if (rollback === undefined) {
    if (startMessageId instanceof MessageId) return { kind: "id", id: startMessageId, inclusive };
    throw new InvalidConfigurationError(
      startMessageId === undefined
        ? "a reader takes startMessageId, such as MessageId.earliest, or startMessageFromRollbackDurationMs"
        : `startMessageId takes a MessageId, such as MessageId.earliest, not ${describe(startMessageId)}`,
    );
  }
  if (startMessageId !== undefined) {
    throw new InvalidConfigurationError("startMessageId and startMessageFromRollbackDurationMs are not for both");
  }
  const rollbackMs = wholeNumber("startMessageFromRollbackDurationMs", rollback, 0, 1);
  return { kind: "time", timestampMs: Math.max(0, nowMs - rollbackMs), rollbackMs };
}

/** An exclusive consumer with ranges is given only what falls into them. */
function keyRanges(ranges: ReaderOptions["keyHashRanges"]): KeySharedPolicy | undefined {
  if (ranges === undefined) return undefined;
  checkHashRanges("keyHashRanges", ranges);
  return { mode: "Sticky", ranges };
}
