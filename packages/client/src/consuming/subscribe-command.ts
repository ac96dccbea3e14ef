import {
  type CommandSubscribe,
  CommandSubscribeInitialPosition,
  CommandSubscribeSubType,
  KeySharedMode,
  type MessageIdData,
} from "@pulsewire/protocol";
import type { PulsarErrorCode } from "../errors.ts";
import { schemaMessage } from "../schema/schema-info.ts";
import type { ResolvedConsumerOptions } from "./consumer-options.ts";

/** What differs from one subscribing to the next. */
export interface SubscribeArguments {
  readonly topic: string;
  readonly consumerId: number;
  readonly consumerName: string;
  readonly requestId: number;
  readonly consumerEpoch: number;
  /** For subscriptions that are not durable. */
  readonly startMessageId?: MessageIdData;
  /** The same by how long ago it was published. */
  readonly startMessageRollbackDurationSec?: number;
}

/** The body of SUBSCRIBE. */
export function subscribeCommand(o: ResolvedConsumerOptions, a: SubscribeArguments): CommandSubscribe {
  return {
    topic: a.topic,
    subscription: o.subscription,
    subType: CommandSubscribeSubType[o.type],
    consumerId: a.consumerId,
    requestId: a.requestId,
    consumerName: a.consumerName,
    priorityLevel: o.priorityLevel,
    durable: o.durable,
    startMessageId: a.startMessageId,
    startMessageRollbackDurationSec: a.startMessageRollbackDurationSec,
    metadata: pairs(o.properties),
    readCompacted: o.readCompacted,
    initialPosition: CommandSubscribeInitialPosition[o.initialPosition],
    replicateSubscriptionState: o.replicateSubscriptionState ? true : undefined,
    // a topic found by a pattern and deleted since must not be made again
    forceTopicCreation: o.topicsPattern === undefined,
    keySharedMeta: keySharedMeta(o),
    subscriptionProperties: pairs(o.subscriptionProperties),
    consumerEpoch: a.consumerEpoch,
    schema: schemaMessage(o.schema?.info),
  };
}

/** Refusals that no later attempt can turn. */
export const FINAL_FOR_CONSUMER: ReadonlySet<PulsarErrorCode> = new Set<PulsarErrorCode>([
  "AuthorizationError",
  "ConsumerAssignError",
  "IncompatibleSchema",
  "InvalidTopicName",
  "NotAllowedError",
  "SubscriptionNotFound",
  "TopicNotFound",
  "Unsupported",
  "UnsupportedVersionError",
]);

function pairs(texts: Readonly<Record<string, string>> | undefined): { key: string; value: string }[] {
  return Object.entries(texts ?? {}).map(([key, value]) => ({ key, value }));
}

function keySharedMeta(o: ResolvedConsumerOptions): CommandSubscribe["keySharedMeta"] {
  const policy = o.keySharedPolicy;
  // a reader has ranges on a subscription of type Exclusive
  if (o.type !== "Key_Shared" && policy === undefined) return undefined;
  const allowOutOfOrderDelivery = policy?.allowOutOfOrderDelivery ?? false;
  if (policy?.mode !== "Sticky") return { keySharedMode: KeySharedMode.AUTO_SPLIT, allowOutOfOrderDelivery };
  const hashRanges = policy.ranges.map(([start, end]) => ({ start, end }));
  return { keySharedMode: KeySharedMode.STICKY, hashRanges, allowOutOfOrderDelivery };
}
