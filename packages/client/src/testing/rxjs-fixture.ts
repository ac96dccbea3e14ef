import { CommandType } from "@pulsewire/protocol";
import { afterEach } from "vitest";
import type { Consumer } from "../consuming/consumer.ts";
import { type Fixture, startFixture } from "./fixture.ts";

/** Of the test that runs; its client is closed behind it. */
export let fixture: Fixture;
afterEach(async () => {
  await fixture.client.close();
});

/** Begins a test: everything here is about the fixture opened last. */
export async function open(...options: Parameters<typeof startFixture>): Promise<void> {
  fixture = await startFixture(...options);
}

export async function consumerOf(options: Record<string, unknown> = {}): Promise<Consumer> {
  await open();
  return fixture.client.subscribe({ topic: "t", subscription: "s", type: "Shared", ...options });
}

export function deliver(texts: readonly string[], metadata: readonly object[] = []): void {
  for (const [i, text] of texts.entries()) {
    fixture.broker.deliver({ entryId: i, texts: [text], metadata: metadata[i] ?? {} });
  }
}

/** Permits the broker was given. */
export const permits = (): number =>
  fixture.broker.of(CommandType.FLOW).reduce((sum, { messagePermits }) => sum + messagePermits, 0);

export const acknowledged = (): number[] =>
  fixture.broker
    .of(CommandType.ACK)
    .flatMap((ack) => (ack.messageId ?? []).map((id) => Number(id.entryId)))
    .sort((a, b) => a - b);

export const deferred = (): { promise: Promise<void>; resolve: () => void; reject: (error: Error) => void } => {
  let resolve = (): void => undefined;
  let reject = (_: Error): void => undefined;
  const promise = new Promise<void>((yes, no) => {
    resolve = yes;
    reject = no;
  });
  return { promise, resolve, reject };
};
