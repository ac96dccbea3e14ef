import { TopicName } from "@pulsewire/protocol";
import { describe, knownOptions, trueOrFalse } from "../check-options.ts";
import type { ConsumerPayloadOptions } from "../consuming/payload-options.ts";
import { PAYLOAD_OPTIONS } from "../consuming/payload-options.ts";
import type { ReaderOptions } from "../consuming/reader-options.ts";
import { InvalidConfigurationError } from "../errors.ts";
import { MessageId } from "../message-id.ts";
import { parseTopic } from "../producing/producer-options.ts";
import type { Schema } from "../schema/schema.ts";

export interface TableViewOptions<T = Uint8Array> extends ConsumerPayloadOptions {
  topic: string;
  /** What values are decoded by. Default: none, values are bytes. */
  schema?: Schema<never, T>;
  /** What the subscription's name starts with, as the topic's statistics show it. Default `reader`. */
  subscriptionRolePrefix?: string;
  /** Messages fetched ahead, for each partition. Default 1000. */
  receiverQueueSize?: number;
  /** Start from the compacted topic, which has only the last message of each key. Default true, where it is persistent. */
  readCompacted?: boolean;
  /** How often new partitions are looked for, in ms; 0 is never. Default 60,000. */
  autoUpdatePartitionsIntervalMs?: number;
}

const TABLE_VIEW_OPTIONS: Readonly<Record<keyof TableViewOptions, true>> = {
  topic: true,
  schema: true,
  subscriptionRolePrefix: true,
  receiverQueueSize: true,
  readCompacted: true,
  autoUpdatePartitionsIntervalMs: true,
  maxPendingChunkedMessage: true,
  autoAckOldestChunkedMessageOnQueueFull: true,
  expireTimeOfIncompleteChunkedMessageMs: true,
  cryptoKeyReader: true,
  cryptoFailureAction: true,
};

const COPIED = ["schema", "subscriptionRolePrefix", "receiverQueueSize", "autoUpdatePartitionsIntervalMs"] as const;

/** The reader a table view is made of. Throws an InvalidConfigurationError that names what is wrong. */
export function tableViewReader<T>(o: TableViewOptions<T>): ReaderOptions<T> {
  if (typeof o !== "object" || o === null) {
    throw new InvalidConfigurationError(`a table view takes options, such as { topic }, not ${describe(o)}`);
  }
  knownOptions("a table view", o, TABLE_VIEW_OPTIONS);
  const topic = parseTopic(o.topic).toString();
  const readCompacted = trueOrFalse("readCompacted", o.readCompacted, TopicName.parse(topic).persistent);
  const reader: ReaderOptions<T> = { topic, startMessageId: MessageId.earliest, readCompacted };
  for (const name of [...COPIED, ...PAYLOAD_OPTIONS]) {
    if (o[name] !== undefined) Object.assign(reader, { [name]: o[name] });
  }
  return reader;
}
