// WATCH_TOPIC_LIST, from version 20. Answered by WATCH_TOPIC_LIST_SUCCESS with the topics that match (none when the
// client's `topics_hash` still holds), then WATCH_TOPIC_UPDATE at each change. ERROR NotAllowedError for a pattern that
// is too long or that the broker does not match; clients poll then.
import { CommandType, type CommandWatchTopicList, ServerError } from "@pulsewire/protocol";
import { BrokerError } from "../../broker-error.ts";
import { topicsHash } from "../../resources/topic-list.ts";
import type { BrokerConnection } from "../broker-connection.ts";
import { TopicListWatcher } from "../topic-list-watcher.ts";
import { compileTopicPattern } from "../topic-pattern.ts";

const WATCHERS_MAX = 1000;

export async function handleWatchTopicList(connection: BrokerConnection, body: CommandWatchTopicList): Promise<void> {
  const { requestId, watcherId, namespace } = body;
  const { subscriptionPatternMaxLength } = connection.broker.settings;
  const matches = compileTopicPattern(body.topicsPattern, subscriptionPatternMaxLength);
  if (matches === undefined) {
    const message = `Pattern longer than maximum: ${subscriptionPatternMaxLength}, or not one the broker matches`;
    throw new BrokerError(ServerError.NotAllowedError, message);
  }
  if (connection.watchers.size >= WATCHERS_MAX) {
    throw new BrokerError(ServerError.NotAllowedError, `At most ${WATCHERS_MAX} watchers on one connection`);
  }
  connection.watchers.get(watcherId)?.[Symbol.dispose]();
  const watcher = new TopicListWatcher({ connection, watcherId, namespace, matches });
  connection.watchers.set(watcherId, watcher);
  const topics = await watcher.start();
  const hash = topicsHash(topics);
  connection.send({
    type: CommandType.WATCH_TOPIC_LIST_SUCCESS,
    body: { requestId, watcherId, topic: body.topicsHash === hash ? [] : topics, topicsHash: hash },
  });
}
