// SEND, all versions. Answered by SEND_RECEIPT once stored, in the order in which they came, or by SEND_ERROR:
// ChecksumError, TopicTerminatedError, NotAllowedError, PersistenceError (a resend whose first try is under way).
// A SEND for an id the broker has just closed is passed over: its client was told and sends again. One for an id that
// was never there ends the connection, as does one without a message.
// Gaps: transactions are refused with NotAllowedError.
import {
  type CommandSend,
  CommandType,
  ProtocolError,
  parseMetadata,
  ServerError,
  verifyChecksum,
} from "@pulsewire/protocol";
import type { BrokerConnection } from "../broker-connection.ts";

export function handleSend(connection: BrokerConnection, body: CommandSend, entry: Uint8Array | undefined): void {
  const { producerId, sequenceId } = body;
  const producer = connection.producers.get(producerId);
  if (producer === undefined) {
    if (!connection.producers.wasClosedByBroker(producerId))
      connection.fail(`SEND for producer ${producerId}, which is not open`);
    return;
  }
  if (entry === undefined) {
    connection.fail("SEND without a message");
    return;
  }
  if (!verifyChecksum(entry)) {
    refuse(connection, body, ServerError.ChecksumError, "Checksum failed on the broker");
    return;
  }
  if ((body.txnidMostBits ?? 0) !== 0 || (body.txnidLeastBits ?? 0) !== 0) {
    refuse(connection, body, ServerError.NotAllowedError, "Transactions are not served by this broker");
    return;
  }
  let metadata: ReturnType<typeof parseMetadata>;
  try {
    // whoever reads the entry later relies on it
    metadata = parseMetadata(entry);
  } catch (error) {
    if (!(error instanceof ProtocolError)) throw error;
    refuse(connection, body, ServerError.NotAllowedError, `The message's metadata is broken: ${error.message}`);
    return;
  }
  connection.publishGate.begin();
  producer.topic.publish(producer, sequenceId, body.highestSequenceId ?? 0, metadata, entry);
}

function refuse(connection: BrokerConnection, body: CommandSend, error: ServerError, message: string): void {
  const { producerId, sequenceId } = body;
  connection.send({ type: CommandType.SEND_ERROR, body: { producerId, sequenceId, error, message } });
}
