import type { Attributes } from "@opentelemetry/api";

/** What metrics tell of a topic: not its partition, so that series stay few. */
export function topicAttributes(topic: string): Attributes {
  const base = topic.replace(/-partition-\d+$/, "");
  const [, tenant = "", namespace = ""] = /:\/\/([^/]+)\/([^/]+)/.exec(base) ?? [];
  return { "pulsar.tenant": tenant, "pulsar.namespace": `${tenant}/${namespace}`, "pulsar.topic": base };
}

/** What spans tell of a message's topic. */
export function spanAttributes(topic: string, operation: "send" | "process"): Attributes {
  const partition = /-partition-(\d+)$/.exec(topic)?.[1];
  return {
    "messaging.system": "pulsar",
    "messaging.destination.name": topic,
    "messaging.operation.name": operation,
    "messaging.operation.type": operation,
    ...(partition === undefined ? {} : { "messaging.destination.partition.id": partition }),
  };
}
