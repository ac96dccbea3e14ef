import { Hono } from "hono";
import type { AdminContext } from "./admin-context.ts";
import { AdminError } from "./admin-error.ts";

/** The version of Apache Pulsar whose behaviour this server follows. */
const PULSAR_VERSION = "4.2.4";

/** `/admin/v2/brokers`. */
export function brokerRoutes(context: AdminContext): Hono {
  const routes = new Hono();
  const ids = (): string[] => context.brokers.map((b) => b.brokerId);

  routes.get("/", (c) => c.json(ids()));
  // the handler runs in the broker that is asked: it answers, so it is healthy
  routes.get("/health", (c) => c.text("ok"));
  routes.get("/ready", (c) => c.text("ok"));
  routes.get("/version", (c) => c.text(PULSAR_VERSION));
  routes.get("/leaderBroker", (c) => {
    const [leader] = context.brokers;
    if (leader === undefined) throw new AdminError(404, "Couldn't find leader broker");
    return c.json({ serviceUrl: leader.webServiceUrl, brokerId: leader.brokerId });
  });
  routes.get("/configuration/runtime", (c) =>
    c.json({
      clusterName: context.clusterName,
      ...Object.fromEntries(Object.entries(context.settings).map(([key, value]) => [key, String(value)])),
    }),
  );
  routes.get("/:cluster", (c) => {
    if (c.req.param("cluster") !== context.clusterName) throw new AdminError(404, "Cluster does not exist");
    return c.json(ids());
  });
  return routes;
}
