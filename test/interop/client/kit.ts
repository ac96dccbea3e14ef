import type { Consumer, Message, MessageId, Producer, ProducerMessage, PulsarClient, Reader } from "@pulsewire/client";
import { PulsarError } from "@pulsewire/client";

/** One case: it passes when `run` resolves. */
export interface Case {
  name: string;
  run(ctx: Context): Promise<void>;
}

/** What a case gets: a client of its own and the cluster's admin API. */
export interface Context {
  client: PulsarClient;
  /** A full topic name that no other case or run uses. */
  topic(name: string, namespace?: string): string;
  admin(method: string, path: string, body?: unknown): Promise<unknown>;
  /** A namespace made once a run; `dedup` has deduplication on. */
  namespace(kind: "dedup"): Promise<string>;
}

/** `persistent://a/b/c` as the path of admin URLs. */
export function adminPath(topic: string): string {
  return `/admin/v2/${topic.replace("://", "/")}`;
}

export function equal(actual: unknown, expected: unknown, what: string): void {
  const [a, b] = [JSON.stringify(actual), JSON.stringify(expected)];
  if (a !== b) throw new Error(`${what}: got ${short(a)}, want ${short(b)}`);
}

export function check(condition: boolean, what: string): void {
  if (!condition) throw new Error(what);
}

function short(text: string | undefined): string {
  return text === undefined ? "undefined" : text.slice(0, 200);
}

/** Checks that a promise rejects with one of some codes. */
export async function rejects(promise: Promise<unknown>, codes: readonly string[], what: string): Promise<PulsarError> {
  try {
    await promise;
  } catch (error) {
    if (error instanceof PulsarError && codes.includes(error.code)) return error;
    throw new Error(`${what}: rejected with ${String(error)}, want ${codes.join(" or ")}`);
  }
  throw new Error(`${what}: did not reject, want ${codes.join(" or ")}`);
}

export const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Waits until a condition holds; fails after `ms`. */
export async function until(what: string, ms: number, condition: () => boolean | Promise<boolean>): Promise<void> {
  const endMs = Date.now() + ms;
  while (!(await condition())) {
    if (Date.now() > endMs) throw new Error(`${what}: not within ${ms} ms`);
    await sleep(20);
  }
}

export interface TakeOptions {
  ms?: number;
  ack?: boolean;
}

/** The next `count` messages, acknowledged unless told otherwise. */
export async function take(consumer: Consumer, count: number, options: TakeOptions = {}): Promise<Message[]> {
  const messages: Message[] = [];
  for (let i = 0; i < count; i++) {
    let message: Message;
    try {
      message = await consumer.receive(options.ms ?? 20_000);
    } catch (error) {
      throw new Error(`after ${i} of ${count} messages: ${String(error)}`);
    }
    messages.push(message);
    if (options.ack !== false) await consumer.acknowledge(message);
  }
  return messages;
}

export async function read(reader: Reader, count: number): Promise<string[]> {
  const out: string[] = [];
  for (let i = 0; i < count; i++) out.push((await reader.readNext(20_000)).text());
  return out;
}

/** Checks that nothing more comes. */
export async function nothing(consumer: Consumer, ms = 700): Promise<void> {
  try {
    const message = await consumer.receive(ms);
    throw new Error(`one message too many: ${message.text().slice(0, 60)} (${message.messageId})`);
  } catch (error) {
    if (!(error instanceof PulsarError && error.code === "Timeout")) throw error;
  }
}

export const texts = (messages: readonly Message[]): string[] => messages.map((m) => m.text());
export const numbers = (from: number, below: number): string[] =>
  Array.from({ length: below - from }, (_, i) => String(from + i));
export const sorted = (values: readonly string[]): string[] => [...values].sort();

/** Sends texts at once and waits for all receipts; `extra` adds to each message. */
export function sendAll(
  producer: Producer,
  bodies: readonly string[],
  extra: (i: number) => ProducerMessage = () => ({}),
): Promise<MessageId[]> {
  return Promise.all(bodies.map((data, i) => producer.send({ ...extra(i), data })));
}
