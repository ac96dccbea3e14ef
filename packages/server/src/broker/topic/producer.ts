import type { Int64, ServerError } from "@pulsewire/protocol";
import type { Topic } from "./topic.ts";

/** The side of a producer that faces its connection. No method throws. */
export interface ProducerSession {
  readonly remoteAddress: string;
  readonly clientVersion: string;
  /** False once the connection is gone. */
  readonly open: boolean;
  /** SEND_RECEIPT. `ledgerId` and `entryId` are -1 for a duplicate that was dropped. */
  published(
    producer: TopicProducer,
    sequenceId: Int64,
    highestSequenceId: Int64,
    ledgerId: number,
    entryId: number,
  ): void;
  /** SEND_ERROR. */
  publishFailed(producer: TopicProducer, sequenceId: Int64, code: ServerError, message: string): void;
  /** The publish is over without an answer: its producer was told to connect again. */
  publishDropped(producer: TopicProducer): void;
  /** CLOSE_PRODUCER: the client connects again by itself. */
  closeProducer(producer: TopicProducer, assigned?: { serviceUrl: string; serviceUrlTls: string | undefined }): void;
  /** Whether the connection still answers; asked before a name that is taken is refused. */
  checkAlive(): Promise<boolean>;
}

export interface TopicProducerOptions {
  topic: Topic;
  producerId: number;
  name: string;
  userProvidedName: boolean;
  epoch: number;
  accessMode: number;
  metadata: Readonly<Record<string, string>>;
  session: ProducerSession;
  connectedSinceMs: number;
}

/** One attached producer: who it is, and what it has published. */
export class TopicProducer {
  readonly topic: Topic;
  readonly producerId: number;
  readonly name: string;
  readonly userProvidedName: boolean;
  readonly epoch: number;
  readonly accessMode: number;
  readonly metadata: Readonly<Record<string, string>>;
  readonly session: ProducerSession;
  readonly connectedSinceMs: number;
  /** False once it was removed: what it still publishes is dropped. */
  attached = true;
  /** Set when the access mode gives exclusive access. */
  topicEpoch: number | undefined = undefined;
  msgInCounter = 0;
  bytesInCounter = 0;
  chunkedMessageCounter = 0;

  constructor(options: TopicProducerOptions) {
    this.topic = options.topic;
    this.producerId = options.producerId;
    this.name = options.name;
    this.userProvidedName = options.userProvidedName;
    this.epoch = options.epoch;
    this.accessMode = options.accessMode;
    this.metadata = options.metadata;
    this.session = options.session;
    this.connectedSinceMs = options.connectedSinceMs;
  }

  /** The same producer, connecting again over the same connection, under a name the broker gave it. */
  succeeds(other: TopicProducer): boolean {
    return (
      !this.userProvidedName &&
      !other.userProvidedName &&
      this.producerId === other.producerId &&
      this.session === other.session &&
      this.epoch > other.epoch
    );
  }
}
