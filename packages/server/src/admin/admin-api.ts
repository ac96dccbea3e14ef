import { Hono } from "hono";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import type { RateSampler } from "../metrics/rate-sampler.ts";
import type { AdminContext } from "./admin-context.ts";
import { adminErrorOf } from "./admin-error.ts";
import { bookieRoutes } from "./bookies.ts";
import { brokerRoutes } from "./brokers.ts";
import { clusterRoutes } from "./clusters.ts";
import { lookupRoutes } from "./lookup.ts";
import { namespaceRoutes } from "./namespaces.ts";
import { schemaRoutes } from "./schemas.ts";
import { tenantRoutes } from "./tenants.ts";
import { topicRoutes } from "./topics.ts";

export type RequestHandler = (request: Request) => Response | Promise<Response>;

/** Everything below `/admin/v2` and `/lookup/v2`. Errors have Pulsar's status codes and `{"reason"}` bodies. */
export function createAdminApi(context: AdminContext, rates: RateSampler): RequestHandler {
  const app = new Hono();
  const admin = new Hono();
  admin.route("/clusters", clusterRoutes(context));
  admin.route("/tenants", tenantRoutes(context));
  admin.route("/namespaces", namespaceRoutes(context));
  admin.route("/persistent", topicRoutes(context, "persistent", rates));
  admin.route("/non-persistent", topicRoutes(context, "non-persistent", rates));
  admin.route("/schemas", schemaRoutes(context));
  admin.route("/brokers", brokerRoutes(context));
  admin.route("/bookies", bookieRoutes(context));
  app.route("/admin/v2", admin);
  app.route("/lookup/v2/topic", lookupRoutes(context));
  app.onError((error, c) => {
    const { status, message } = adminErrorOf(error);
    return c.json({ reason: message }, status as ContentfulStatusCode);
  });
  app.notFound((c) => c.json({ reason: `HTTP 404 Not Found: ${c.req.method} ${new URL(c.req.url).pathname}` }, 404));
  return (request) => app.fetch(request);
}
