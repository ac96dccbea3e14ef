// PRODUCER, all versions. Answered by PRODUCER_SUCCESS with name, last sequence id, schema version and topic epoch, or by
// ERROR: ProducerBusy, ProducerFenced, TopicTerminatedError, IncompatibleSchema, TopicNotFound, ServiceNotReady (another
// broker owns the topic), ... WaitForExclusive is answered twice, with `producer_ready` false and, when its turn has
// come, true. A PRODUCER for an id that is open is answered as before.
// Gaps: `encrypted` and `txn_enabled` are not looked at.
import { type CommandProducer, CommandType, type Int64, ServerError } from "@pulsewire/protocol";
import { BrokerError } from "../../broker-error.ts";
import type { TopicProducer } from "../../topic/producer.ts";
import type { ProducerGrant } from "../../topic/topic.ts";
import type { BrokerConnection } from "../broker-connection.ts";
import { topicArgument } from "../topic-argument.ts";

export async function handleProducer(connection: BrokerConnection, body: CommandProducer): Promise<void> {
  const { producerId, requestId } = body;
  const existing = connection.producers.get(producerId);
  if (existing !== undefined) {
    respond(connection, requestId, existing, true);
    return;
  }
  const slot = connection.producers.reserve(producerId);
  let grant: ProducerGrant;
  try {
    grant = await attach(connection, body);
  } catch (error) {
    connection.producers.release(slot);
    throw error;
  }
  const { producer, ready } = grant;
  // PRODUCER -> (loading) -> CLOSE_PRODUCER, answered at once -> loaded: nobody wants the producer any more
  if (!connection.producers.complete(slot, producer)) {
    producer.topic.removeProducer(producer);
    ready?.catch(() => undefined); // refused, as was to be expected
    if (slot.closedBy === "broker") throw new BrokerError(ServerError.ServiceNotReady, "The topic is moving");
    return;
  }
  // PRODUCER -> (attached) -> the topic closes, and lets go a producer that is not open on its connection yet
  if (!producer.attached) {
    connection.producers.removeByBroker(producerId, connection.broker.clock.now());
    ready?.catch(() => undefined); // refused, as was to be expected
    throw new BrokerError(ServerError.ServiceNotReady, "The topic is moving");
  }
  respond(connection, requestId, producer, ready === undefined, grant);
  if (ready !== undefined) await awaitTurn(connection, requestId, grant, ready);
}

async function attach(connection: BrokerConnection, body: CommandProducer): Promise<ProducerGrant> {
  const name = topicArgument(body.topic);
  const topic = await connection.broker.topics.load(name, "by-policy");
  return topic.addProducer({
    producerId: body.producerId,
    producerName: body.producerName ?? "",
    userProvidedName: (body.userProvidedProducerName ?? true) && (body.producerName ?? "") !== "",
    epoch: body.epoch ?? 0,
    accessMode: body.producerAccessMode ?? 0,
    topicEpoch: body.topicEpoch,
    metadata: Object.fromEntries((body.metadata ?? []).map((p) => [p.key, p.value])),
    schema: body.schema,
    initialSubscriptionName: body.initialSubscriptionName,
    session: connection.session,
  });
}

async function awaitTurn(
  connection: BrokerConnection,
  requestId: Int64,
  grant: ProducerGrant,
  ready: Promise<void>,
): Promise<void> {
  const { producer } = grant;
  try {
    await ready;
  } catch (error) {
    if (connection.producers.get(producer.producerId) !== producer) return;
    connection.producers.removeByBroker(producer.producerId, connection.broker.clock.now());
    throw error;
  }
  if (connection.producers.get(producer.producerId) === producer) respond(connection, requestId, producer, true, grant);
}

function respond(
  connection: BrokerConnection,
  requestId: Int64,
  producer: TopicProducer,
  producerReady: boolean,
  grant?: ProducerGrant,
): void {
  connection.send({
    type: CommandType.PRODUCER_SUCCESS,
    body: {
      requestId,
      producerName: producer.name,
      lastSequenceId: grant?.lastSequenceId ?? -1,
      schemaVersion: grant?.schemaVersion ?? new Uint8Array(0),
      topicEpoch: producer.topicEpoch,
      producerReady,
    },
  });
}
