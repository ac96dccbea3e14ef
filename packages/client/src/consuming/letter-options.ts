import { describe, knownOptions, optionalText, trueOrFalse, wholeNumber } from "../check-options.ts";
import { InvalidConfigurationError } from "../errors.ts";
import { parseTopic } from "../producing/producer-options.ts";
import type { ConsumerOptions, DeadLetterPolicy, ResolvedConsumerOptions } from "./consumer-options.ts";
import { deadLetterTopic, retryLetterTopic } from "./dead-letters.ts";
import { isShared, type SubscriptionType } from "./subscription-type.ts";

/** How often a message is retried where nothing else is said, as Pulsar's clients have it. */
const RETRIES_DEFAULT = 16;

const POLICY_OPTIONS: Readonly<Record<keyof DeadLetterPolicy, true>> = {
  maxRedeliverCount: true,
  deadLetterTopic: true,
  retryLetterTopic: true,
  initialSubscriptionName: true,
};

/** What becomes of messages that are delivered too often, or put off. Throws an InvalidConfigurationError. */
export function resolveLetters(
  o: ConsumerOptions,
  type: SubscriptionType,
  topics: readonly string[],
  subscription: string,
): Pick<ResolvedConsumerOptions, "deadLetterPolicy" | "retryPolicy"> {
  const retryEnable = trueOrFalse("retryEnable", o.retryEnable, false);
  const given = checkPolicy(o.deadLetterPolicy);
  if (given !== undefined && !isShared(type) && !retryEnable) {
    throw new InvalidConfigurationError(
      `deadLetterPolicy takes a subscription of type Shared or Key_Shared, since for ${type} the broker counts no ` +
        "redeliveries; or retryEnable: true, and reconsumeLater for what cannot be handled",
    );
  }
  if (!retryEnable) {
    if (given?.retryLetterTopic !== undefined) {
      throw new InvalidConfigurationError("deadLetterPolicy.retryLetterTopic takes retryEnable: true beside it");
    }
    return { deadLetterPolicy: given, retryPolicy: undefined };
  }
  const [first] = topics;
  const named = (name: string | undefined, make: typeof retryLetterTopic, option: string): string => {
    if (name !== undefined) return parseTopic(name).toString();
    if (first !== undefined) return make(parseTopic(first).partitionedTopicName, subscription);
    throw new InvalidConfigurationError(`deadLetterPolicy.${option} is needed for retryEnable with topicsPattern`);
  };
  const retryPolicy = {
    ...given,
    maxRedeliverCount: given?.maxRedeliverCount ?? RETRIES_DEFAULT,
    retryLetterTopic: named(given?.retryLetterTopic, retryLetterTopic, "retryLetterTopic"),
    deadLetterTopic: named(given?.deadLetterTopic, deadLetterTopic, "deadLetterTopic"),
  };
  return { deadLetterPolicy: isShared(type) ? retryPolicy : undefined, retryPolicy };
}

function checkPolicy(policy: DeadLetterPolicy | undefined): DeadLetterPolicy | undefined {
  if (policy === undefined) return undefined;
  if (typeof policy !== "object" || policy === null) {
    throw new InvalidConfigurationError(`deadLetterPolicy takes { maxRedeliverCount }, not ${describe(policy)}`);
  }
  knownOptions("deadLetterPolicy", policy, POLICY_OPTIONS);
  if (policy.maxRedeliverCount === undefined) {
    throw new InvalidConfigurationError("deadLetterPolicy.maxRedeliverCount takes a whole number of at least 1");
  }
  wholeNumber("deadLetterPolicy.maxRedeliverCount", policy.maxRedeliverCount, 0, 1);
  if (policy.deadLetterTopic !== undefined) parseTopic(policy.deadLetterTopic);
  if (policy.retryLetterTopic !== undefined) parseTopic(policy.retryLetterTopic);
  optionalText("deadLetterPolicy.initialSubscriptionName", policy.initialSubscriptionName);
  return policy;
}
