import type { ProducerMessage as CoreProducerMessage } from "../producing/producer-message.ts";
import type { ProducerOptions } from "../producing/producer-options.ts";
import type { ProducerConfig, ProducerMessage } from "./config.ts";
import { FileKeyReader } from "./crypto-key-reader.ts";
import { Message } from "./message.ts";
import { bufferOf, isBuffer } from "./platform.ts";
import { schemaOf } from "./schema-info.ts";
import { flagIn, nameIn, numberIn, present, propertiesIn, textIn } from "./values.ts";

const ROUTING = {
  UseSinglePartition: "SinglePartition",
  RoundRobinDistribution: "RoundRobinPartition",
  CustomPartition: "CustomPartition",
} as const;
const HASHES = { Murmur3_32Hash: "Murmur3_32Hash", JavaStringHash: "JavaStringHash" } as const;
const COMPRESSIONS = { None: "NONE", Zlib: "ZLIB", LZ4: "LZ4", ZSTD: "ZSTD", SNAPPY: "SNAPPY" } as const;
const BATCHING = { DefaultBatching: "Default", KeyBasedBatching: "KeyBased" } as const;
const ACCESS = {
  Shared: "Shared",
  Exclusive: "Exclusive",
  WaitForExclusive: "WaitForExclusive",
  ExclusiveWithFencing: "ExclusiveWithFencing",
} as const;
const FAILURE = { FAIL: "FAIL", SEND: "SEND" } as const;

/** This client's options for the official client's. Throws what the official client rejects with. */
export function producerOptions(c: ProducerConfig): ProducerOptions {
  const topic = textIn(c?.topic);
  if (topic === undefined)
    throw new Error("Topic is required and must be specified as a string when creating producer");
  const options = {
    topic,
    ...present({
      producerName: textIn(c.producerName),
      sendTimeoutMs: numberIn(c.sendTimeoutMs, 1),
      initialSequenceId: numberIn(c.initialSequenceId, -1),
      maxPendingMessages: numberIn(c.maxPendingMessages, 1),
      blockIfQueueFull: flagIn(c.blockIfQueueFull),
      hashingScheme: nameIn(HASHES, c.hashingScheme),
      compressionType: nameIn(COMPRESSIONS, c.compressionType),
      batchingEnabled: flagIn(c.batchingEnabled),
      batchingMaxMessages: numberIn(c.batchingMaxMessages, 1),
      batchingMaxBytes: numberIn(c.batchingMaxAllowedSizeInBytes, 1),
      batchingType: nameIn(BATCHING, c.batchingType),
      accessMode: nameIn(ACCESS, c.accessMode),
      properties: propertiesIn(c.properties),
      schema: c.schema === undefined ? undefined : schemaOf(c.schema),
      chunkingEnabled: flagIn(c.chunkingEnabled),
    }),
    batchingMaxPublishDelayMs: numberIn(c.batchingMaxPublishDelayMs, 1) ?? 10,
    ...routing(c),
    ...encryption(c),
  };
  // one batch cannot hold a chunked message; the official client turns batching off without a word
  return options.chunkingEnabled === true ? { ...options, batchingEnabled: false } : options;
}

function routing(c: ProducerConfig): Pick<ProducerOptions, "messageRoutingMode" | "messageRouter"> {
  const mode = nameIn(ROUTING, c.messageRoutingMode) ?? "SinglePartition";
  const { messageRouter } = c;
  if (mode !== "CustomPartition" || typeof messageRouter !== "function") {
    return { messageRoutingMode: mode === "CustomPartition" ? "SinglePartition" : mode };
  }
  return {
    messageRoutingMode: mode,
    messageRouter: (message, numPartitions) => messageRouter(Message.outgoing(configOf(message)), { numPartitions }),
  };
}

function encryption(c: ProducerConfig): object {
  const names = [textIn(c.encryptionKey), ...(Array.isArray(c.encryptionKeys) ? c.encryptionKeys : [])];
  const encryptionKeys = names.filter((name): name is string => typeof name === "string");
  const { publicKeyPath } = c;
  const reader = c.cryptoKeyReader ?? (publicKeyPath === undefined ? undefined : new FileKeyReader({ publicKeyPath }));
  if (reader === undefined || encryptionKeys.length === 0) return {};
  const cryptoFailureAction = nameIn(FAILURE, c.cryptoFailureAction);
  return { encryptionKeys, cryptoKeyReader: reader, ...present({ cryptoFailureAction }) };
}

/** A message that a router is asked about, as the official client shows it. */
function configOf(message: CoreProducerMessage): ProducerMessage {
  const { data, properties, eventTime, key, orderingKey } = message;
  return {
    data: bufferOf(data instanceof Uint8Array ? data : new Uint8Array(0)),
    ...present({
      properties: properties === undefined ? undefined : { ...properties },
      eventTimestamp: eventTime,
      partitionKey: typeof key === "string" ? key : undefined,
      orderingKey: typeof orderingKey === "string" ? orderingKey : undefined,
    }),
  };
}

/** This client's message for the official client's. */
export function producerMessage(m: ProducerMessage): CoreProducerMessage {
  const clusters = Array.isArray(m.replicationClusters) ? m.replicationClusters : undefined;
  const disabled = m.disableReplication === true || clusters?.length === 0;
  return {
    data: isBuffer(m.data) ? m.data : new Uint8Array(0),
    ...present({
      properties: propertiesIn(m.properties),
      eventTime: numberIn(m.eventTimestamp, 0),
      sequenceId: numberIn(m.sequenceId, 0),
      key: typeof m.partitionKey === "string" ? m.partitionKey : undefined,
      orderingKey: typeof m.orderingKey === "string" ? m.orderingKey : undefined,
      deliverAfterMs: numberIn(m.deliverAfter, 0),
      deliverAt: numberIn(m.deliverAt, 0),
      replicationClusters: clusters === undefined || clusters.length === 0 ? undefined : clusters,
      disableReplication: disabled ? true : undefined,
    }),
  };
}
