import { TopicName } from "@pulsewire/protocol";
import { type Context, Hono } from "hono";
import type { AdminContext } from "./admin-context.ts";
import { AdminError } from "./admin-error.ts";

/** `/lookup/v2/topic`: who serves a topic, for clients and tools that ask over HTTP. */
export function lookupRoutes(context: AdminContext): Hono {
  const routes = new Hono();
  const topicOf = async (c: Context): Promise<TopicName> => {
    const { domain, tenant, namespace, topic } = c.req.param() as Record<string, string>;
    const name = TopicName.parse(`${domain}://${tenant}/${namespace}/${topic}`);
    if (!(await context.resources.namespaces.exists(name.namespace))) throw new AdminError(404, "Namespace not found");
    return name;
  };

  routes.get("/:domain/:tenant/:namespace/:topic", async (c) => {
    const owner = await context.lookup(await topicOf(c));
    return c.json({
      brokerUrl: owner.serviceUrl,
      httpUrl: owner.webServiceUrl,
      nativeUrl: owner.serviceUrl,
      brokerUrlSsl: owner.serviceUrlTls ?? "",
    });
  });
  routes.get("/:domain/:tenant/:namespace/:topic/bundle", async (c) =>
    c.text(await context.bundleOf(await topicOf(c))),
  );
  return routes;
}
