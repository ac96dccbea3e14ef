import { TopicName } from "@pulsewire/protocol";
import { describe, text } from "../check-options.ts";
import { InvalidConfigurationError, toPulsarError } from "../errors.ts";

/** A name as one segment of a path. */
export function segment(what: string, name: unknown): string {
  const given = text(what, name);
  // an escape does not help: URLs resolve these two wherever they stand
  if (given === "." || given === "..") throw new InvalidConfigurationError(`${what} takes a name, not ${given}`);
  return encodeURIComponent(given);
}

/** `tenant/namespace` as two segments. */
export function namespacePath(namespace: unknown): string {
  const parts = typeof namespace === "string" ? namespace.split("/") : [];
  if (parts.length !== 2) {
    throw new InvalidConfigurationError(`a namespace is tenant/namespace, not ${describe(namespace)}`);
  }
  return parts.map((part) => segment("namespace", part)).join("/");
}

/** A topic as `persistent/tenant/namespace/local`. Throws a PulsarError with code InvalidTopicName. */
export function topicPath(topic: unknown): string {
  try {
    const name = TopicName.parse(text("topic", topic));
    return `${name.domain}/${name.namespace}/${segment("topic", name.localName)}`;
  } catch (error) {
    throw toPulsarError(error);
  }
}

/** The same without its domain. */
export function topicPathWithoutDomain(topic: unknown): string {
  const path = topicPath(topic);
  return path.slice(path.indexOf("/") + 1);
}
