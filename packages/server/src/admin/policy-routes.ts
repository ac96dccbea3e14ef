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
const persistence = integers("bookkeeperEnsemble", "bookkeeperWriteQuorum", "bookkeeperAckQuorum");

const spec = (path: string, field: string, takes: string, valid: Check): PolicySpec => ({ path, field, takes, valid });
const RETENTION = "an object of retentionTimeInMinutes and retentionSizeInMB";
const PERSISTENCE = "an object of bookkeeperEnsemble, bookkeeperWriteQuorum and bookkeeperAckQuorum";
const COUNT = "an integer of at least 0";
const FLAG = "true or false";

export const NAMESPACE_POLICIES: readonly PolicySpec[] = [
  spec("deduplication", "deduplicationEnabled", FLAG, flag),
  spec("messageTTL", "message_ttl_in_seconds", COUNT, count),
  spec("retention", "retention_policies", RETENTION, retention),
  spec("persistence", "persistence", PERSISTENCE, persistence),
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
  spec("persistence", "persistence", PERSISTENCE, persistence),
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
  for (const { path, field, takes, valid, inQuery } of specs) {
    const set = async (c: Context): Promise<Response> => {
      const value = inQuery === true ? queryNumber(c, path) : await jsonBody(c);
      if (!valid(value)) throw new AdminError(412, `${path} takes ${takes}`);
      await holder.write(c, (policies) => ({ ...policies, [field]: value }));
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
