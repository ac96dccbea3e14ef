import type { Context, Hono } from "hono";
import type { SharedPolicies } from "../broker/resources/policies.ts";
import { AdminError } from "./admin-error.ts";
import { isRecord, jsonBody } from "./request-body.ts";

type Check = (value: unknown) => boolean;

/** One policy: its path, its field in the stored record, and what it takes. */
export interface PolicySpec {
  path: string;
  field: string;
  takes: string;
  valid: Check;
  /** What is stored for what was given. @throws AdminError where parts of it do not go together. */
  complete?: (value: unknown) => unknown;
  /** The value is a number in the query, under the name of the path, and not the body, as Pulsar has it. */
  inQuery?: true;
}

type PolicyRecord = SharedPolicies & Record<string, unknown>;

/** Where policies are kept. */
export interface PolicyHolder {
  read(c: Context): Promise<SharedPolicies | undefined>;
  write(c: Context, change: (policies: PolicyRecord) => PolicyRecord): Promise<void>;
}

const flag: Check = (v) => typeof v === "boolean";
const count: Check = (v) => Number.isInteger(v) && (v as number) >= 0;
const object: Check = isRecord;
const integers =
  (...fields: string[]): Check =>
  (v) =>
    isRecord(v) && fields.every((f) => Number.isInteger(v[f]));

const STRATEGIES = [
  "UNDEFINED",
  "ALWAYS_INCOMPATIBLE",
  "ALWAYS_COMPATIBLE",
  "BACKWARD",
  "FORWARD",
  "FULL",
  "BACKWARD_TRANSITIVE",
  "FORWARD_TRANSITIVE",
  "FULL_TRANSITIVE",
];
const strategy: Check = (v) => typeof v === "string" && STRATEGIES.includes(v);
const retention = integers("retentionTimeInMinutes", "retentionSizeInMB");

const spec = (path: string, field: string, takes: string, valid: Check): PolicySpec => ({ path, field, takes, valid });
const RETENTION = "an object of retentionTimeInMinutes and retentionSizeInMB";
const PERSISTENCE: PolicySpec = {
  ...spec(
    "persistence",
    "persistence",
    "an object of bookkeeperEnsemble, bookkeeperWriteQuorum and bookkeeperAckQuorum",
    (v) => isRecord(v) && QUORUMS.every(([field]) => v[field] === undefined || Number.isInteger(v[field])),
  ),
  complete: (value) => completePersistence(value as Record<string, unknown>),
};
const COUNT = "an integer of at least 0";
const FLAG = "true or false";

/** As Pulsar has them by default (`managedLedgerMaxEnsembleSize`, …). */
const QUORUM_MAX = 5;
const QUORUMS: readonly (readonly [field: string, name: string])[] = [
  ["bookkeeperEnsemble", "Bookkeeper-Ensemble"],
  ["bookkeeperWriteQuorum", "Bookkeeper-WriteQuorum"],
  ["bookkeeperAckQuorum", "Bookkeeper-AckQuorum"],
];

/** A size that is not given is 2, as in Pulsar. */
function completePersistence(given: Record<string, unknown>): Record<string, unknown> {
  const sizes = QUORUMS.map(([field, name]) => {
    const size = (given[field] ?? 2) as number;
    if (size > 0 && size <= QUORUM_MAX) return size;
    throw new AdminError(400, `${name} must be <= ${QUORUM_MAX} and > 0.`);
  });
  const [ensemble, write, ack] = sizes as [number, number, number];
  if (ensemble < write || write < ack) {
    throw new AdminError(400, `Bookkeeper Ensemble (${ensemble}) >= WriteQuorum (${write}) >= AckQuorum (${ack})`);
  }
  return { ...given, bookkeeperEnsemble: ensemble, bookkeeperWriteQuorum: write, bookkeeperAckQuorum: ack };
}

export const NAMESPACE_POLICIES: readonly PolicySpec[] = [
  spec("deduplication", "deduplicationEnabled", FLAG, flag),
  spec("messageTTL", "message_ttl_in_seconds", COUNT, count),
  spec("retention", "retention_policies", RETENTION, retention),
  PERSISTENCE,
  spec("maxProducersPerTopic", "max_producers_per_topic", COUNT, count),
  spec("maxConsumersPerTopic", "max_consumers_per_topic", COUNT, count),
  spec("maxConsumersPerSubscription", "max_consumers_per_subscription", COUNT, count),
  spec("maxSubscriptionsPerTopic", "max_subscriptions_per_topic", COUNT, count),
  spec("maxTopicsPerNamespace", "max_topics_per_namespace", COUNT, count),
  spec("maxUnackedMessagesPerConsumer", "max_unacked_messages_per_consumer", COUNT, count),
  spec("maxUnackedMessagesPerSubscription", "max_unacked_messages_per_subscription", COUNT, count),
  spec("schemaCompatibilityStrategy", "schema_compatibility_strategy", `one of ${STRATEGIES.join(", ")}`, strategy),
  spec("schemaValidationEnforced", "schema_validation_enforced", FLAG, flag),
  spec("isAllowAutoUpdateSchema", "is_allow_auto_update_schema", FLAG, flag),
  spec("autoTopicCreation", "autoTopicCreationOverride", "an object of allowAutoTopicCreation and topicType", object),
  spec(
    "autoSubscriptionCreation",
    "autoSubscriptionCreationOverride",
    "an object of allowAutoSubscriptionCreation",
    object,
  ),
];

export const TOPIC_POLICIES: readonly PolicySpec[] = [
  spec("deduplicationEnabled", "deduplicationEnabled", FLAG, flag),
  { ...spec("messageTTL", "message_ttl_in_seconds", COUNT, count), inQuery: true },
  spec("retention", "retention_policies", RETENTION, retention),
  PERSISTENCE,
  spec("maxProducers", "max_producers_per_topic", COUNT, count),
  spec("maxConsumers", "max_consumers_per_topic", COUNT, count),
  spec("maxConsumersPerSubscription", "max_consumers_per_subscription", COUNT, count),
  spec("maxSubscriptionsPerTopic", "max_subscriptions_per_topic", COUNT, count),
  spec("maxUnackedMessagesOnConsumer", "max_unacked_messages_per_consumer", COUNT, count),
  spec("maxUnackedMessagesOnSubscription", "max_unacked_messages_per_subscription", COUNT, count),
  spec("schemaCompatibilityStrategy", "schema_compatibility_strategy", `one of ${STRATEGIES.join(", ")}`, strategy),
];

/** GET answers the value or an empty body, POST and PUT set it, DELETE unsets it. */
export function addPolicyRoutes(routes: Hono, base: string, specs: readonly PolicySpec[], holder: PolicyHolder): void {
  for (const { path, field, takes, valid, complete, inQuery } of specs) {
    const set = async (c: Context): Promise<Response> => {
      const value = inQuery === true ? queryNumber(c, path) : await jsonBody(c);
      if (!valid(value)) throw new AdminError(412, `${path} takes ${takes}`);
      const stored = complete === undefined ? value : complete(value);
      await holder.write(c, (policies) => ({ ...policies, [field]: stored }));
      return c.body(null, 204);
    };
    routes.get(`${base}/${path}`, async (c) => {
      const value = ((await holder.read(c)) as PolicyRecord | undefined)?.[field];
      return value === undefined ? c.body(null, 200) : c.json(value as never);
    });
    routes.post(`${base}/${path}`, set);
    routes.put(`${base}/${path}`, set);
    routes.delete(`${base}/${path}`, async (c) => {
      await holder.write(c, (policies) => {
        const { [field]: _gone, ...rest } = policies;
        return rest as PolicyRecord;
      });
      return c.body(null, 204);
    });
  }
}

function queryNumber(c: Context, name: string): number | undefined {
  const text = c.req.query(name);
  return text === undefined || text === "" ? undefined : Number(text);
}
