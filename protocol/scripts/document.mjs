// Writes the command reference of README.md (between its markers) from PulsarApi.proto and the table below.
//   npm run document -w @pulsewire/protocol
import { readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import protobuf from "protobufjs";

const here = join(dirname(fileURLToPath(import.meta.url)), "..");
const root = protobuf.parse(readFileSync(join(here, "PulsarApi.proto"), "utf8"), { keepCase: true }).root;
root.resolveAll();
const base = root.lookupType("pulsar.proto.BaseCommand");

/** Who sends a command (C client, B broker, CB both), what answers it, and what it is for. */
const COMMANDS = {
  CONNECT: [
    "C",
    "CONNECTED, or ERROR and close; AUTH_CHALLENGE first with some methods",
    "First on every connection: versions, features, credentials. `proxy_to_broker_url` asks a proxy to pass everything on to that broker.",
  ],
  CONNECTED: [
    "B",
    "",
    "Accepts a connection: the protocol version to use (the smaller of both) and the largest message.",
  ],
  AUTH_CHALLENGE: ["B", "AUTH_RESPONSE", "Asks for credentials, during the handshake or again when they expire."],
  AUTH_RESPONSE: ["C", "CONNECTED during the handshake, else nothing", "Credentials."],
  PING: ["CB", "PONG", "Keep-alive, every 30 s by default; a connection whose last ping was not answered is closed."],
  PONG: ["CB", "", "Answers a PING."],
  PARTITIONED_METADATA: [
    "C",
    "PARTITIONED_METADATA_RESPONSE",
    "How many partitions has the topic? Auto-creates it where policies and the command allow.",
  ],
  PARTITIONED_METADATA_RESPONSE: ["B", "", "`partitions` is 0 for a topic that is not partitioned."],
  LOOKUP: [
    "C",
    "LOOKUP_RESPONSE",
    "Which broker serves the topic? `authoritative` comes from a redirect: the broker asked may take the topic.",
  ],
  LOOKUP_RESPONSE: [
    "B",
    "",
    "Connect: this broker serves it (through the service URL, when `proxy_through_service_url`). Redirect: ask that broker. Failed: `error`.",
  ],
  GET_TOPICS_OF_NAMESPACE: [
    "C",
    "GET_TOPICS_OF_NAMESPACE_RESPONSE",
    "Names of a namespace's topics, filtered by a pattern if one is given.",
  ],
  GET_TOPICS_OF_NAMESPACE_RESPONSE: ["B", "", "The names, or `changed = false` when `topics_hash` is still right."],
  WATCH_TOPIC_LIST: ["C", "WATCH_TOPIC_LIST_SUCCESS", "Be told when topics that match a pattern come and go."],
  WATCH_TOPIC_LIST_SUCCESS: ["B", "", "The names there are now, and their hash."],
  WATCH_TOPIC_UPDATE: ["B", "", "Topics came or went."],
  WATCH_TOPIC_LIST_CLOSE: ["C", "SUCCESS", "Ends a watch."],
  TOPIC_MIGRATED: ["B", "", "The topic is in another cluster now: connect there."],
  PRODUCER: [
    "C",
    "PRODUCER_SUCCESS or ERROR",
    "Attaches a producer. A broker that does not serve the topic answers ServiceNotReady: look it up again.",
  ],
  PRODUCER_SUCCESS: [
    "B",
    "",
    "Its name, its last stored sequence id. `producer_ready = false`: it waits for exclusive access, and a second answer follows.",
  ],
  SEND: [
    "C",
    "SEND_RECEIPT or SEND_ERROR",
    "Publishes one entry: a message, a batch, or a chunk of a message. Checksum, metadata and payload follow in the frame.",
  ],
  SEND_RECEIPT: [
    "B",
    "",
    "The entry is stored under this id. Receipts come in the order of the SENDs. An id of -1:-1 tells of a duplicate that was dropped.",
  ],
  SEND_ERROR: ["B", "", "The entry was not stored."],
  CLOSE_PRODUCER: [
    "CB",
    "SUCCESS to a client; nothing to a broker",
    "From the client: done. From the broker: the topic goes elsewhere, connect again (to `assignedBrokerServiceUrl`, when it is there).",
  ],
  SUBSCRIBE: ["C", "SUCCESS or ERROR", "Attaches a consumer to a subscription, which is made if need be."],
  FLOW: ["C", "", "So many more messages may be pushed. A consumer starts with none."],
  MESSAGE: [
    "B",
    "ACK, sooner or later",
    "One entry: checksum, metadata and payload follow in the frame as the producer sent them. `ack_set` says which messages of a batch are still wanted.",
  ],
  ACK: [
    "C",
    "ACK_RESPONSE if `request_id` is set",
    "Acknowledges entries, single messages of batches (`ack_set`), or everything up to an id.",
  ],
  ACK_RESPONSE: ["B", "", "The acknowledgement is done, or why it is not."],
  REDELIVER_UNACKNOWLEDGED_MESSAGES: [
    "C",
    "the MESSAGEs again",
    "Deliver these again, or everything that is not acknowledged. Where order matters it is always everything.",
  ],
  ACTIVE_CONSUMER_CHANGE: ["B", "", "Failover: this consumer became, or is no longer, the active one."],
  SEEK: [
    "C",
    "SUCCESS or ERROR",
    "Moves the subscription to an id or a publish time. The broker drops the consumer, which subscribes again.",
  ],
  REACHED_END_OF_TOPIC: ["B", "", "The topic was terminated and everything in it is acknowledged."],
  UNSUBSCRIBE: ["C", "SUCCESS or ERROR", "Deletes the subscription."],
  CLOSE_CONSUMER: ["CB", "SUCCESS to a client; nothing to a broker", "As CLOSE_PRODUCER."],
  CONSUMER_STATS: ["C", "CONSUMER_STATS_RESPONSE", "Asks for figures of a consumer."],
  CONSUMER_STATS_RESPONSE: ["B", "", "The figures."],
  GET_LAST_MESSAGE_ID: ["C", "GET_LAST_MESSAGE_ID_RESPONSE", "The id of the topic's last message."],
  GET_LAST_MESSAGE_ID_RESPONSE: ["B", "", "That id, and where the subscription stands."],
  SUCCESS: ["B", "", "The request is done."],
  ERROR: ["B", "", "The request is refused, with a server error."],
  GET_SCHEMA: ["C", "GET_SCHEMA_RESPONSE", "A schema of the topic, the latest or of a version."],
  GET_SCHEMA_RESPONSE: ["B", "", "The schema, or an error."],
  GET_OR_CREATE_SCHEMA: ["C", "GET_OR_CREATE_SCHEMA_RESPONSE", "Registers a schema, or finds its version."],
  GET_OR_CREATE_SCHEMA_RESPONSE: ["B", "", "The version, or an error."],
  TC_CLIENT_CONNECT_REQUEST: ["C", "TC_CLIENT_CONNECT_RESPONSE", "Connects to a transaction coordinator."],
  NEW_TXN: ["C", "NEW_TXN_RESPONSE", "Begins a transaction."],
  ADD_PARTITION_TO_TXN: ["C", "ADD_PARTITION_TO_TXN_RESPONSE", "The transaction will publish to these topics."],
  ADD_SUBSCRIPTION_TO_TXN: [
    "C",
    "ADD_SUBSCRIPTION_TO_TXN_RESPONSE",
    "The transaction will acknowledge on these subscriptions.",
  ],
  END_TXN: ["C", "END_TXN_RESPONSE", "Commits or aborts."],
  END_TXN_ON_PARTITION: [
    "B to B",
    "END_TXN_ON_PARTITION_RESPONSE",
    "A coordinator's broker tells a topic's how a transaction ended.",
  ],
  END_TXN_ON_SUBSCRIPTION: ["B to B", "END_TXN_ON_SUBSCRIPTION_RESPONSE", "The same for a subscription."],
};

const WHO = { C: "client", B: "broker", CB: "either" };

function fieldsOf(type) {
  const fields = type.fieldsArray
    .sort((a, b) => a.id - b.id)
    .map((f) => {
      const rule = f.required ? "" : f.repeated ? "[]" : "?";
      return `${f.name}${rule}`;
    });
  return fields.length === 0 ? "none" : fields.map((f) => `\`${f}\``).join(" ");
}

const rows = [];
for (const [name, number] of Object.entries(base.lookupEnum("Type").values)) {
  const field = base.fieldsArray.find((f) => f.id === number);
  const [who, answer, purpose] = COMMANDS[name] ?? [
    name.endsWith("_RESPONSE") ? "B" : number >= 70 ? "-" : "B",
    "",
    number >= 70 ? "Scalable topics of Pulsar 5.0." : "",
  ];
  rows.push(`### ${name} (${number})`, "");
  rows.push(`Sent by: ${WHO[who] ?? who}. ${answer === "" ? "" : `Answered by: ${answer}. `}${purpose}`.trim(), "");
  rows.push(`Fields: ${fieldsOf(field.resolvedType)}`, "");
}

const path = join(here, "README.md");
const readme = readFileSync(path, "utf8");
const [start, end] = ["<!-- commands -->", "<!-- /commands -->"];
const before = readme.slice(0, readme.indexOf(start) + start.length);
const after = readme.slice(readme.indexOf(end));
writeFileSync(path, `${before}\n\n${rows.join("\n")}\n${after}`);
