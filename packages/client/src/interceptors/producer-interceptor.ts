import type { PulsarError } from "../errors.ts";
import type { MessageId } from "../message-id.ts";
import type { Producer } from "../producing/producer.ts";
import type { ProducerMessage } from "../producing/producer-message.ts";

/**
 * Sees, and may change, what a producer sends. Every hook is optional and is called in the order of the list; what one
 * throws is logged and changes nothing.
 */
export interface ProducerInterceptor {
  /** Whether the hooks for messages are called for this one. Default: for every one. */
  eligible?(message: ProducerMessage<unknown>): boolean;
  /** Before a message is encoded and given its partition. Answers the message to send instead, or nothing. */
  beforeSend?(producer: Producer<unknown>, message: ProducerMessage<unknown>): ProducerMessage<unknown> | undefined;
  /** The broker has stored the message, or it could not be sent: then `error` tells, and there is no id. */
  onSendAcknowledgement?(
    producer: Producer<unknown>,
    message: ProducerMessage<unknown>,
    messageId: MessageId | undefined,
    error: PulsarError | undefined,
  ): void;
  /** The topic has more partitions than before. */
  onPartitionsChange?(topic: string, partitions: number): void;
  /** The producer was closed. */
  close?(): void;
}

export const PRODUCER_HOOKS: Readonly<Record<keyof ProducerInterceptor, true>> = {
  eligible: true,
  beforeSend: true,
  onSendAcknowledgement: true,
  onPartitionsChange: true,
  close: true,
};
