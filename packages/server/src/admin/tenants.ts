import { type Context, Hono } from "hono";
import type { TenantInfo } from "../broker/resources/policies.ts";
import type { AdminContext } from "./admin-context.ts";
import { AdminError } from "./admin-error.ts";
import { deleteNamespace } from "./namespaces.ts";
import { isTrue, recordBody } from "./request-body.ts";

const NAME = /^[-=:.\w]+$/;

async function tenantInfo(c: Context, context: AdminContext): Promise<TenantInfo> {
  const body = await recordBody(c, "A tenant");
  const texts = (field: string): string[] => {
    const value = body[field] ?? [];
    if (!Array.isArray(value) || value.some((v) => typeof v !== "string")) {
      throw new AdminError(400, `${field} takes a list of names`);
    }
    return value as string[];
  };
  const allowedClusters = texts("allowedClusters");
  if (allowedClusters.length === 0) throw new AdminError(412, "Clusters can not be empty");
  if (allowedClusters.some((name) => name !== context.clusterName)) throw new AdminError(412, "Clusters do not exist");
  return { adminRoles: texts("adminRoles"), allowedClusters };
}

/** `/admin/v2/tenants`. */
export function tenantRoutes(context: AdminContext): Hono {
  const routes = new Hono();
  const { tenants, namespaces } = context.resources;
  const existing = async (name: string): Promise<TenantInfo> => {
    const info = await tenants.get(name);
    if (info === undefined) throw new AdminError(404, "Tenant does not exist");
    return info;
  };

  routes.get("/", async (c) => c.json(await tenants.list()));
  routes.get("/:tenant", async (c) => c.json(await existing(c.req.param("tenant"))));
  routes.put("/:tenant", async (c) => {
    const name = c.req.param("tenant");
    if (!NAME.test(name)) throw new AdminError(412, "Tenant name is not valid");
    const info = await tenantInfo(c, context);
    if (await tenants.exists(name)) throw new AdminError(409, "Tenant already exist");
    await tenants.create(name, info);
    return c.body(null, 204);
  });
  routes.post("/:tenant", async (c) => {
    await existing(c.req.param("tenant"));
    await tenants.update(c.req.param("tenant"), await tenantInfo(c, context));
    return c.body(null, 204);
  });
  routes.delete("/:tenant", async (c) => {
    const name = c.req.param("tenant");
    if (!(await tenants.exists(name))) throw new AdminError(404, "Tenant doesn't exist");
    const held = await namespaces.list(name);
    const force = isTrue(c.req.query("force"));
    if (force && !context.settings.forceDeleteTenantAllowed) {
      throw new AdminError(405, "Broker doesn't allow forced deletion of tenants");
    }
    if (held.length > 0 && !force) {
      throw new AdminError(409, "The tenant still has active namespaces");
    }
    for (const namespace of held) await deleteNamespace(context, namespace, true);
    await tenants.delete(name);
    return c.body(null, 204);
  });
  return routes;
}
