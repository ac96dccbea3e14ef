import { TopicName } from "@pulsewire/protocol";

/** Repetitions of any length that a pattern may have: each multiplies the time of a mismatch by the name's length. */
const REPETITIONS_MAX = 3;

/**
 * A client's pattern over topic names, or undefined where it is too long, or could take long on a name: then the client
 * gets everything and matches itself. A name matches as a whole, without its domain, a partition by its topic.
 */
export function compileTopicPattern(pattern: string, lengthMax: number): ((topic: string) => boolean) | undefined {
  if (pattern.length > lengthMax || !isQuick(pattern)) return undefined;
  let expression: RegExp;
  try {
    expression = new RegExp(`^(?:${withoutDomain(pattern)})$`);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
  return (topic) => expression.test(withoutDomain(TopicName.parse(topic).partitionedTopicName));
}

function withoutDomain(text: string): string {
  return text.replace(/^[\^]?(?:persistent|non-persistent):\/\//, "");
}

/** No group is repeated and few things are: matching cannot take exponential time. */
function isQuick(pattern: string): boolean {
  if (/\)[*+{]/.test(pattern) || /\\\d/.test(pattern)) return false;
  return (pattern.match(/[*+]|\{\d*,\d*\}/g) ?? []).length <= REPETITIONS_MAX;
}
