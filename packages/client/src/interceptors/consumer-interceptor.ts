import type { Consumer } from "../consuming/consumer.ts";
import type { PulsarError } from "../errors.ts";
import type { Message } from "../message.ts";
import type { MessageId } from "../message-id.ts";

/**
 * Sees what a consumer, or the consumer inside a reader, receives and acknowledges. Every hook is optional and is called
 * in the order of the list; what one throws is logged and changes nothing.
 */
export interface ConsumerInterceptor {
  /** A message came from the broker, and goes to the receiver queue. */
  onArrival?(consumer: Consumer<unknown>, message: Message<unknown>): void;
  /** Right before the application has a message. Answers the message to give instead, or nothing. */
  beforeConsume?(consumer: Consumer<unknown>, message: Message<unknown>): Message<unknown> | undefined;
  /** A message was acknowledged, or could not be: then `error` tells. */
  onAcknowledge?(consumer: Consumer<unknown>, messageId: MessageId, error: PulsarError | undefined): void;
  /** A message and all before it were acknowledged, or could not be: then `error` tells. */
  onAcknowledgeCumulative?(consumer: Consumer<unknown>, messageId: MessageId, error: PulsarError | undefined): void;
  /** Messages that were negatively acknowledged are asked for again. */
  onNegativeAcksSend?(consumer: Consumer<unknown>, messageIds: readonly MessageId[]): void;
  /** Messages whose acknowledgement took too long are asked for again. */
  onAckTimeoutSend?(consumer: Consumer<unknown>, messageIds: readonly MessageId[]): void;
  /** A topic has more partitions than before. */
  onPartitionsChange?(topic: string, partitions: number): void;
  /** The consumer was closed. */
  close?(): void;
}

export const CONSUMER_HOOKS: Readonly<Record<keyof ConsumerInterceptor, true>> = {
  onArrival: true,
  beforeConsume: true,
  onAcknowledge: true,
  onAcknowledgeCumulative: true,
  onNegativeAcksSend: true,
  onAckTimeoutSend: true,
  onPartitionsChange: true,
  close: true,
};
