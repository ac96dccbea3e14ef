import { Hono } from "hono";
import type { AdminContext } from "./admin-context.ts";
import { AdminError } from "./admin-error.ts";

/** `/admin/v2/clusters`: the one cluster this process is. */
export function clusterRoutes(context: AdminContext): Hono {
  const routes = new Hono();
  const known = (name: string): void => {
    if (name !== context.clusterName) throw new AdminError(404, "Cluster does not exist");
  };

  routes.get("/", (c) => c.json([context.clusterName]));
  routes.get("/:cluster", (c) => {
    known(c.req.param("cluster"));
    const [broker] = context.brokers;
    return c.json({
      serviceUrl: broker?.webServiceUrl ?? "",
      brokerServiceUrl: broker?.serviceUrl ?? "",
      ...(broker?.serviceUrlTls === undefined ? {} : { brokerServiceUrlTls: broker.serviceUrlTls }),
      brokerClientTlsEnabled: false,
      tlsAllowInsecureConnection: false,
    });
  });
  routes.get("/:cluster/failureDomains", (c) => {
    known(c.req.param("cluster"));
    return c.json({});
  });
  return routes;
}
