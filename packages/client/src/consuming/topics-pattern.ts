import { CommandGetTopicsOfNamespaceMode, TopicName } from "@pulsewire/protocol";
import { describe } from "../check-options.ts";
import { InvalidConfigurationError } from "../errors.ts";
import { parseTopic } from "../producing/producer-options.ts";

/** Topics of which domain a pattern is matched against. */
export type SubscriptionTopicsMode = "PersistentOnly" | "NonPersistentOnly" | "AllTopics";

const MODES: Readonly<Record<SubscriptionTopicsMode, CommandGetTopicsOfNamespaceMode>> = {
  PersistentOnly: CommandGetTopicsOfNamespaceMode.PERSISTENT,
  NonPersistentOnly: CommandGetTopicsOfNamespaceMode.NON_PERSISTENT,
  AllTopics: CommandGetTopicsOfNamespaceMode.ALL,
};

const DOMAIN = /^(?:persistent|non-persistent):\/\//;

/** The topics of one namespace whose names match a regular expression as a whole. */
export class TopicsPattern {
  /** `tenant/namespace`. */
  readonly namespace: string;
  readonly mode: SubscriptionTopicsMode;
  /** What the broker filters by: names without their domain. It may let more through than matches here. */
  readonly forBroker: string;
  readonly #expression: RegExp;

  constructor(namespace: string, mode: SubscriptionTopicsMode, forBroker: string, expression: RegExp) {
    this.namespace = namespace;
    this.mode = mode;
    this.forBroker = forBroker;
    this.#expression = expression;
  }

  get wireMode(): CommandGetTopicsOfNamespaceMode {
    return MODES[this.mode];
  }

  /** Whether topics of the domain that brokers watch may match. */
  get watchable(): boolean {
    return this.mode === "PersistentOnly";
  }

  /** `topic` is a full name; of a partition, the name of its topic counts. */
  matches(topic: string): boolean {
    const name = TopicName.parse(topic);
    const inMode = this.mode === "AllTopics" || name.persistent === (this.mode === "PersistentOnly");
    if (!inMode || name.namespace !== this.namespace || isInternal(name.localName)) return false;
    return this.#expression.test(name.partitionedTopicName.replace(DOMAIN, ""));
  }
}

const INTERNAL = /^__(?:change_events|transaction_\w+|topic_policies)|__transaction_pending_ack$/;

/** Topics the broker keeps for itself. */
function isInternal(localName: string): boolean {
  return INTERNAL.test(localName.replace(/-partition-\d+$/, ""));
}

/**
 * Reads a pattern: a RegExp or its text, `[domain://][tenant/namespace/]expression`. Throws an
 * InvalidConfigurationError.
 */
export function resolvePattern(pattern: unknown, mode: SubscriptionTopicsMode): TopicsPattern {
  const whole = textOf(pattern);
  const domain = DOMAIN.exec(whole)?.[0];
  checkDomain(domain, mode, whole);
  const parts = whole.slice(domain?.length ?? 0).split("/");
  const short = parts.length < 3;
  if (short && (parts.length !== 1 || domain !== undefined)) {
    throw new InvalidConfigurationError(`topicsPattern "${whole}" takes the form tenant/namespace/expression`);
  }
  const namespace = short ? "public/default" : parts.slice(0, 2).join("/");
  // the namespace is a name and no expression; whether it is one is known by completing it to a topic
  parseTopic(`persistent://${namespace}/t`);
  const local = short ? whole : parts.slice(2).join("/");
  const flags = pattern instanceof RegExp ? pattern.flags.replace(/[gy]/g, "") : "";
  const expression = compile(`^${escaped(namespace)}/(?:${local})$`, flags, whole);
  // the broker knows another dialect, and no flags: what it could misread is filtered here alone
  const plain = flags === "" && /^[-\w.*+?:=]*$/.test(local);
  return new TopicsPattern(namespace, mode, `${namespace}/${plain ? local : ".*"}`, expression);
}

function checkDomain(domain: string | undefined, mode: SubscriptionTopicsMode, whole: string): void {
  const persistent = domain === "persistent://";
  if (domain === undefined || mode === "AllTopics" || persistent === (mode === "PersistentOnly")) return;
  const other = persistent ? "PersistentOnly" : "NonPersistentOnly";
  throw new InvalidConfigurationError(`topicsPattern "${whole}" takes subscriptionTopicsMode ${other}, not ${mode}`);
}

function textOf(pattern: unknown): string {
  // a RegExp's source has its slashes escaped
  const text = pattern instanceof RegExp ? pattern.source.replace(/\\\//g, "/") : pattern;
  if (typeof text === "string" && text !== "") return text.replace(/^\^/, "");
  throw new InvalidConfigurationError(`topicsPattern takes a RegExp or its text, not ${describe(pattern)}`);
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
}

function compile(source: string, flags: string, shown: string): RegExp {
  try {
    return new RegExp(source, flags);
  } catch (error) {
    throw new InvalidConfigurationError(`topicsPattern "${shown}" is no regular expression`, { cause: error });
  }
}
