import type { ConsumerHandle, Topic } from "../topic/topic.ts";

/** A consumer of this connection, and where it is attached. */
export interface ConnectedConsumer {
  readonly topic: Topic;
  readonly subscription: string;
  readonly consumer: ConsumerHandle;
}
