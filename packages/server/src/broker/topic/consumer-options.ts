import type { ConsumerOptions } from "../subscription/contracts.ts";
import type { SubscribeRequest } from "./topic.ts";

/** What a subscription is told of a new consumer. */
export function consumerOptionsOf({ command, consumerName, session }: SubscribeRequest): ConsumerOptions {
  return {
    consumerId: command.consumerId,
    consumerName,
    type: command.subType,
    priorityLevel: command.priorityLevel ?? 0,
    metadata: Object.fromEntries((command.metadata ?? []).map((p) => [p.key, p.value])),
    readCompacted: command.readCompacted ?? false,
    keySharedMeta: command.keySharedMeta,
    startMessageId: command.startMessageId,
    schema: command.schema,
    consumerEpoch: command.consumerEpoch,
    session,
  };
}
