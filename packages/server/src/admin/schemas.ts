import { SchemaType, TopicName } from "@pulsewire/protocol";
import { type Context, Hono } from "hono";
import { schemaTypeName } from "../broker/resources/schema-compatibility.ts";
import type { SchemaVersion } from "../broker/resources/schema-info.ts";
import type { AdminContext } from "./admin-context.ts";
import { AdminError } from "./admin-error.ts";
import { isRecord, recordBody } from "./request-body.ts";

function schemaJson(schema: SchemaVersion): Record<string, unknown> {
  return {
    version: schema.version,
    type: adminTypeName(schema.type),
    timestamp: schema.timestampMs,
    data: new TextDecoder().decode(schema.data),
    properties: schema.properties,
  };
}

/** A type as the REST API and the tools spell it: `KEY_VALUE`, where the wire has `KeyValue`. */
function adminTypeName(type: number): string {
  const name = Object.entries(SchemaType).find(([, value]) => value === type)?.[0] ?? schemaTypeName(type);
  return name === "Bool" ? "BOOLEAN" : name.replaceAll(/(?<=[a-z])(?=[A-Z])/g, "_").toUpperCase();
}

function schemaTypeOf(name: unknown): number {
  const given = String(name).replaceAll("_", "").toUpperCase();
  const wanted = given === "BOOLEAN" ? "BOOL" : given;
  const found = Object.entries(SchemaType).find(([key]) => key.toUpperCase() === wanted);
  if (found === undefined) throw new AdminError(422, `unknown schema type ${String(name)}`);
  return found[1];
}

/** `/admin/v2/schemas`. */
export function schemaRoutes(context: AdminContext): Hono {
  const routes = new Hono();
  const { schemas, namespaces } = context.resources;
  const topicOf = (c: Context): TopicName =>
    TopicName.parse(`persistent://${c.req.param("tenant")}/${c.req.param("namespace")}/${c.req.param("topic")}`);
  const found = (schema: SchemaVersion | undefined): SchemaVersion => {
    if (schema === undefined) throw new AdminError(404, "Schema not found");
    return schema;
  };
  const path = "/:tenant/:namespace/:topic";

  routes.get(`${path}/schema`, async (c) => c.json(schemaJson(found(await schemas.get(topicOf(c))))));
  routes.get(`${path}/schema/:version{[0-9]+}`, async (c) =>
    c.json(schemaJson(found(await schemas.get(topicOf(c), Number(c.req.param("version")))))),
  );
  routes.get(`${path}/schemas`, async (c) => {
    const versions = await schemas.versions(topicOf(c));
    return c.json({ getSchemaResponses: versions.map(schemaJson) });
  });
  routes.post(`${path}/schema`, async (c) => {
    const body = await recordBody(c, "A schema");
    const topic = topicOf(c);
    const policies = await namespaces.get(topic.namespace);
    const wanted = policies?.schema_compatibility_strategy ?? "UNDEFINED";
    const strategy = wanted === "UNDEFINED" ? context.settings.schemaCompatibilityStrategy : wanted;
    const version = await schemas.add(
      topic,
      {
        type: schemaTypeOf(body.type),
        data: new TextEncoder().encode(String(body.schema ?? "")),
        properties: isRecord(body.properties) ? (body.properties as Record<string, string>) : {},
      },
      strategy as Parameters<typeof schemas.add>[2],
    );
    return c.json({ version: { version } });
  });
  routes.delete(`${path}/schema`, async (c) => {
    const version = await schemas.delete(topicOf(c));
    if (version === undefined) throw new AdminError(404, "Schema not found");
    return c.json({ version });
  });
  return routes;
}
