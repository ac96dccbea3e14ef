import { ServerError } from "@pulsewire/protocol";
import { BrokerError } from "../../broker-error.ts";
import type { BrokerConnection } from "../broker-connection.ts";
import type { ConnectedConsumer } from "../connected-consumer.ts";

/** The consumer a command names; MetadataError, as a real broker says, when there is none. */
export function openConsumer(connection: BrokerConnection, consumerId: number): ConnectedConsumer {
  const connected = connection.consumers.get(consumerId);
  if (connected === undefined) throw new BrokerError(ServerError.MetadataError, "Consumer not found");
  return connected;
}
