// LOOKUP, all versions. Answered by LOOKUP_RESPONSE: Connect by the owner, Redirect to it by another broker, Failed with
// TopicNotFound for a missing namespace, InvalidTopicName, ServiceNotReady while a bundle moves, TooManyRequests.
// For a client that cannot reach brokers itself (WebSocket) redirects are followed here and the answer says
// `proxy_through_service_url`.
// Gaps: `advertised_listener_name` and `properties` are not looked at.
import {
  type CommandLookupTopic,
  type CommandLookupTopicResponse,
  CommandLookupTopicResponseLookupType,
  CommandType,
  ServerError,
  type TopicName,
} from "@pulsewire/protocol";
import { BrokerError } from "../../broker-error.ts";
import type { BrokerUrls } from "../../ownership/broker-registry.ts";
import { toBrokerError } from "../../topic/storage-error.ts";
import type { BrokerConnection } from "../broker-connection.ts";
import type { BrokerContext } from "../broker-context.ts";
import { topicArgument } from "../topic-argument.ts";

const { Connect, Failed, Redirect } = CommandLookupTopicResponseLookupType;
const REDIRECTS_MAX = 20;

export async function handleLookup(connection: BrokerConnection, body: CommandLookupTopic): Promise<void> {
  const { broker } = connection;
  const { requestId } = body;
  try {
    const topic = topicArgument(body.topic);
    const authoritative = body.authoritative ?? false;
    await broker.lookups.run(async () => {
      if (connection.proxy) {
        const owner = await followRedirects(broker, topic, authoritative);
        respond(connection, { ...connectTo(owner), requestId, proxyThroughServiceUrl: true });
        return;
      }
      const answer = await broker.lookup.lookup(topic, authoritative);
      if (answer.kind === "connect") {
        respond(connection, {
          ...connectTo(answer.broker),
          requestId,
          proxyThroughServiceUrl: broker.throughServiceUrl,
        });
      } else {
        const { serviceUrl, serviceUrlTls } = answer.broker;
        respond(connection, {
          brokerServiceUrl: serviceUrl,
          brokerServiceUrlTls: serviceUrlTls,
          response: Redirect,
          requestId,
          authoritative: answer.authoritative,
        });
      }
    });
  } catch (error) {
    const { code, message } = toBrokerError(error);
    respond(connection, { response: Failed, requestId, error: code, message });
  }
}

async function followRedirects(first: BrokerContext, topic: TopicName, authoritative: boolean): Promise<BrokerUrls> {
  let broker = first;
  let asTaker = authoritative;
  for (let hop = 0; hop < REDIRECTS_MAX; hop++) {
    const answer = await broker.lookup.lookup(topic, asTaker);
    if (answer.kind === "connect") return answer.broker;
    const next = broker.peer(answer.broker.brokerId);
    if (next === undefined) break;
    broker = next;
    asTaker = answer.authoritative;
  }
  throw new BrokerError(ServerError.ServiceNotReady, `No broker owns ${topic} at the moment`);
}

function connectTo(broker: BrokerUrls): Omit<CommandLookupTopicResponse, "requestId"> {
  return {
    brokerServiceUrl: broker.serviceUrl,
    brokerServiceUrlTls: broker.serviceUrlTls,
    response: Connect,
    authoritative: true,
  };
}

function respond(connection: BrokerConnection, body: CommandLookupTopicResponse): void {
  connection.send({ type: CommandType.LOOKUP_RESPONSE, body });
}
