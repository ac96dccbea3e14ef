import type { TopicProducer } from "./producer.ts";
import type { ProducerStats } from "./topic.ts";

export function producerStatsOf(producer: TopicProducer): ProducerStats {
  return {
    producerId: producer.producerId,
    producerName: producer.name,
    accessMode: producer.accessMode,
    address: producer.session.remoteAddress,
    clientVersion: producer.session.clientVersion,
    connectedSinceMs: producer.connectedSinceMs,
    metadata: producer.metadata,
    msgInCounter: producer.msgInCounter,
    bytesInCounter: producer.bytesInCounter,
    chunkedMessageCounter: producer.chunkedMessageCounter,
  };
}
