import { TopicName } from "@pulsewire/protocol";
import type { NodeId } from "@pulsewire/runtime";
import type { Nodes } from "./fault-links.ts";

const shown = (value: unknown): string => (typeof value === "string" ? JSON.stringify(value) : String(value));

/** @throws TypeError where something was given to what takes nothing. */
export function checkNothing(what: string, given: readonly unknown[]): void {
  if (given.length > 0) throw new TypeError(`${what} takes nothing, not ${given.map(shown).join(", ")}`);
}

/** @throws TypeError where it is no text. */
export function checkText(name: string, value: unknown): void {
  if (typeof value !== "string") throw new TypeError(`${name} takes a text, not ${shown(value)}`);
}

/** @throws TypeError where it is no whole number from `min` on. */
export function checkWhole(name: string, value: unknown, min: number): void {
  if (Number.isSafeInteger(value) && (value as number) >= min) return;
  throw new TypeError(`${name} takes an integer from ${min} on, not ${shown(value)}`);
}

/** @throws TypeError where it is neither true nor false. */
export function checkFlag(name: string, value: unknown): void {
  if (typeof value !== "boolean") throw new TypeError(`${name} takes true or false, not ${shown(value)}`);
}

/** The full name of a topic. @throws TypeError where it is none. */
export function checkedTopic(topic: unknown): string {
  checkText("topic", topic);
  try {
    return TopicName.parse(topic as string).toString();
  } catch (cause) {
    throw new TypeError(`topic takes the name of a topic, not ${shown(topic)}: ${(cause as Error).message}`, { cause });
  }
}

/** One node's name, or several. @throws TypeError where there is no such node, or none at all. */
export function checkedNodes(nodes: Nodes, known: readonly NodeId[]): readonly NodeId[] {
  const names: unknown = typeof nodes === "string" ? [nodes] : nodes;
  const there = `there are ${known.join(", ")}`;
  if (!Array.isArray(names) || names.length === 0) {
    throw new TypeError(`a side is the name of a node or a list of names, not ${JSON.stringify(nodes)}; ${there}`);
  }
  for (const name of names) {
    if (!known.includes(name)) throw new TypeError(`there is no node named ${String(name)}; ${there}`);
  }
  return names;
}
