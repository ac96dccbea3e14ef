import type { CommandMessage, CommandSendError, CommandSendReceipt } from "@pulsewire/protocol";
import type { PulsarError } from "../errors.ts";

/** Why a producer or a consumer is no longer attached. */
export interface Detachment {
  readonly error: PulsarError;
  /** The broker that now has the topic, where the old one named it: go there without a lookup. */
  readonly assignedBrokerUrl?: string | undefined;
  /** The cluster the topic moved to: look it up there from now on. */
  readonly migratedToUrl?: string | undefined;
}

/** What a connection tells a producer. */
export interface ProducerHandler {
  onSendReceipt(receipt: CommandSendReceipt): void;
  onSendError(error: CommandSendError): void;
  /** Once for each attachment: the broker closed the producer, or the connection ended. */
  onDetached(detachment: Detachment): void;
}

/** What a connection tells a consumer. */
export interface ConsumerHandler {
  /** `entry` is a view that may be kept. */
  onMessage(message: CommandMessage, entry: Uint8Array): void;
  onActiveChange(active: boolean): void;
  onEndOfTopic(): void;
  /** Once for each attachment: the broker closed the consumer, or the connection ended. */
  onDetached(detachment: Detachment): void;
}

/** What a connection tells whoever watches the topics of a namespace. */
export interface TopicListHandler {
  onTopicUpdate(added: readonly string[], deleted: readonly string[]): void;
  /** Once for each attachment: the connection ended. */
  onDetached(): void;
}
