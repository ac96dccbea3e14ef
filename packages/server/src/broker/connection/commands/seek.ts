// SEEK, all versions. The subscription's consumers are disconnected with CLOSE_CONSUMER, then the cursor moves and SUCCESS
// answers; clients subscribe again by themselves. ERROR: MetadataError for a consumer that is not open.
import { type CommandSeek, ServerError } from "@pulsewire/protocol";
import { BrokerError } from "../../broker-error.ts";
import type { SeekTarget } from "../../topic/topic.ts";
import type { BrokerConnection } from "../broker-connection.ts";
import { openConsumer } from "./open-consumer.ts";

export async function handleSeek(connection: BrokerConnection, body: CommandSeek): Promise<void> {
  const { topic, subscription } = openConsumer(connection, body.consumerId);
  await topic.seek(subscription, targetOf(body));
  connection.answerSuccess(body.requestId);
}

function targetOf({ messageId, messagePublishTime }: CommandSeek): SeekTarget {
  if (messageId !== undefined) return { kind: "id", messageId };
  if (messagePublishTime !== undefined) return { kind: "time", publishTimeMs: messagePublishTime };
  throw new BrokerError(ServerError.MetadataError, "SEEK names neither a message id nor a publish time");
}
