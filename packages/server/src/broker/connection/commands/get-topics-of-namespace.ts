// GET_TOPICS_OF_NAMESPACE, from version 12. Answered by GET_TOPICS_OF_NAMESPACE_RESPONSE: full names, partitions one by
// one; filtered by `topics_pattern` where the broker matches it; `changed` false and no names when the client's
// `topics_hash` still holds. A missing namespace has no topics.
import { type CommandGetTopicsOfNamespace, CommandType } from "@pulsewire/protocol";
import { topicsHash } from "../../resources/topic-list.ts";
import type { BrokerConnection } from "../broker-connection.ts";
import { compileTopicPattern } from "../topic-pattern.ts";

export async function handleGetTopicsOfNamespace(
  connection: BrokerConnection,
  body: CommandGetTopicsOfNamespace,
): Promise<void> {
  const { broker } = connection;
  const all = await broker.lookups.run(() => broker.topicsOf(body.namespace, body.mode ?? 0));
  const { subscriptionPatternMaxLength } = broker.settings;
  const matches = body.topicsPattern && compileTopicPattern(body.topicsPattern, subscriptionPatternMaxLength);
  const topics = matches ? all.filter(matches) : all;
  const hash = topicsHash(topics);
  const changed = body.topicsHash === undefined || body.topicsHash !== hash;
  connection.send({
    type: CommandType.GET_TOPICS_OF_NAMESPACE_RESPONSE,
    body: {
      requestId: body.requestId,
      topics: changed ? topics : [],
      filtered: Boolean(matches),
      topicsHash: hash,
      changed,
    },
  });
}
