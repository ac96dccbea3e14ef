import { TopicName } from "@pulsewire/protocol";
import { type Context, Hono } from "hono";
import { bundleBoundaries, type Policies } from "../broker/resources/policies.ts";
import { newPolicies } from "../broker/resources/resources.ts";
import type { AdminContext } from "./admin-context.ts";
import { AdminError } from "./admin-error.ts";
import { addPolicyRoutes, NAMESPACE_POLICIES } from "./policy-routes.ts";
import { isRecord, isTrue, jsonBody } from "./request-body.ts";
import { deleteTopic } from "./topic-operations.ts";

const NAME = /^[-=:.\w]+$/;
const BUNDLES_MAX = 2 ** 16;

/** Fields of a namespace's record that Pulsar shows also when nobody set them. */
const SHOWN_ALWAYS = {
  auth_policies: { namespace_auth: {}, destination_auth: {}, subscription_auth_roles: {} },
  allowed_clusters: [],
  backlog_quota_map: {},
  clusterDispatchRate: {},
  topicDispatchRate: {},
  subscriptionDispatchRate: {},
  replicatorDispatchRate: {},
  clusterSubscribeRate: {},
  publishMaxMessageRate: {},
  latency_stats_sample_rate: {},
  deleted: false,
  encryption_required: false,
  subscription_auth_mode: "None",
  offload_threshold: -1,
  offload_threshold_in_seconds: -1,
  schema_compatibility_strategy: "UNDEFINED",
  is_allow_auto_update_schema: true,
  schema_validation_enforced: false,
  subscription_types_enabled: [],
  properties: {},
  migrated: false,
};

async function policiesFrom(c: Context, context: AdminContext): Promise<Policies> {
  const body = (await jsonBody(c)) ?? {};
  if (!isRecord(body)) throw new AdminError(400, "Namespace policies are a JSON object");
  const count = isRecord(body.bundles)
    ? Number(body.bundles.numBundles)
    : context.settings.defaultNumberOfNamespaceBundles;
  if (!Number.isInteger(count) || count < 1 || count > BUNDLES_MAX) {
    throw new AdminError(412, "Invalid number of bundles. Number of numBundles has to be in the range of (0, 2^32].");
  }
  const clusters = body.replication_clusters;
  if (Array.isArray(clusters) && clusters.some((name) => name !== context.clusterName)) {
    throw new AdminError(403, "Invalid cluster name in replication clusters");
  }
  const policies = newPolicies(context.clusterName, count);
  return { ...body, ...policies, bundles: { boundaries: bundleBoundaries(count), numBundles: count } };
}

/** Deletes a namespace; with `force` its topics too. */
export async function deleteNamespace(context: AdminContext, namespace: string, force: boolean): Promise<void> {
  const { namespaces, topics, partitionedTopics } = context.resources;
  if (!(await namespaces.exists(namespace))) throw new AdminError(404, `Namespace ${namespace} does not exist.`);
  const held = await topics.list(namespace);
  const partitioned = await partitionedTopics.list(namespace);
  if (held.length + partitioned.length > 0 && !force) {
    throw new AdminError(409, "Cannot delete non empty namespace");
  }
  for (const topic of held) await deleteTopic(context, TopicName.parse(topic), true);
  for (const topic of partitioned) await partitionedTopics.delete(TopicName.parse(topic));
  await context.unloadNamespace(namespace);
  await namespaces.delete(namespace);
}

/** `/admin/v2/namespaces`. */
export function namespaceRoutes(context: AdminContext): Hono {
  const routes = new Hono();
  const { tenants, namespaces, topics } = context.resources;
  const nameOf = (c: Context): string => `${c.req.param("tenant")}/${c.req.param("namespace")}`;
  const existing = async (c: Context): Promise<Policies> => {
    const policies = await namespaces.get(nameOf(c));
    if (policies === undefined) throw new AdminError(404, "Namespace does not exist");
    return policies;
  };

  routes.get("/:tenant", async (c) => {
    if (!(await tenants.exists(c.req.param("tenant")))) throw new AdminError(404, "Tenant not found");
    return c.json(await namespaces.list(c.req.param("tenant")));
  });
  routes.get("/:tenant/:namespace", async (c) => c.json({ ...SHOWN_ALWAYS, ...(await existing(c)) }));
  routes.put("/:tenant/:namespace", async (c) => {
    if (!(await tenants.exists(c.req.param("tenant")))) throw new AdminError(404, "Tenant does not exist");
    if (!NAME.test(c.req.param("namespace"))) throw new AdminError(412, "Namespace name is not valid");
    const policies = await policiesFrom(c, context);
    if (await namespaces.exists(nameOf(c))) throw new AdminError(409, "Namespace already exists");
    await namespaces.create(nameOf(c), policies);
    return c.body(null, 204);
  });
  routes.delete("/:tenant/:namespace", async (c) => {
    const force = isTrue(c.req.query("force"));
    if (force && !context.settings.forceDeleteNamespaceAllowed) {
      throw new AdminError(405, "Broker doesn't allow forced deletion of namespaces");
    }
    await deleteNamespace(context, nameOf(c), force);
    return c.body(null, 204);
  });
  routes.get("/:tenant/:namespace/topics", async (c) => {
    await existing(c);
    return c.json(await topics.list(nameOf(c)));
  });
  routes.get("/:tenant/:namespace/bundles", async (c) => c.json((await existing(c)).bundles));
  routes.get("/:tenant/:namespace/permissions", async (c) => {
    await existing(c);
    return c.json({});
  });
  routes.get("/:tenant/:namespace/replication", async (c) => c.json((await existing(c)).replication_clusters));
  routes.put("/:tenant/:namespace/unload", async (c) => {
    await existing(c);
    await context.unloadNamespace(nameOf(c));
    return c.body(null, 204);
  });
  routes.put("/:tenant/:namespace/:bundle{0x[0-9a-f]+_0x[0-9a-f]+}/unload", async (c) => {
    await existing(c);
    await context.unloadBundle(nameOf(c), c.req.param("bundle"));
    return c.body(null, 204);
  });
  addPolicyRoutes(routes, "/:tenant/:namespace", NAMESPACE_POLICIES, {
    read: existing,
    async write(c, change) {
      await existing(c);
      await namespaces.update(nameOf(c), (policies) => change(policies) as Policies);
    },
  });
  return routes;
}
