// WATCH_TOPIC_LIST_CLOSE, from version 20. Answered by SUCCESS, also for a watcher that is not there.
import type { CommandWatchTopicListClose } from "@pulsewire/protocol";
import type { BrokerConnection } from "../broker-connection.ts";

export function handleWatchTopicListClose(connection: BrokerConnection, body: CommandWatchTopicListClose): void {
  connection.watchers.get(body.watcherId)?.[Symbol.dispose]();
  connection.watchers.delete(body.watcherId);
  connection.answerSuccess(body.requestId);
}
