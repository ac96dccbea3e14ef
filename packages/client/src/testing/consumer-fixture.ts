import { CommandAckAckType, CommandType } from "@pulsewire/protocol";
import type { Consumer } from "../consuming/consumer.ts";
import type { ConsumerOptions } from "../consuming/consumer-options.ts";
import type { Message } from "../message.ts";
import { type Fixture, startFixture } from "./fixture.ts";

export interface WithConsumer extends Fixture {
  consumer: Consumer;
  /** The permits granted so far, one number a FLOW. */
  flows(): number[];
  /** Texts of the messages that are there. */
  drain(): Promise<string[]>;
}

export async function start(options: Partial<ConsumerOptions> = {}): Promise<WithConsumer> {
  const fixture = await startFixture();
  const consumer = await fixture.client.subscribe({ topic: "t", subscription: "s", ...options });
  await fixture.settle();
  const drain = async (): Promise<string[]> => {
    await fixture.settle();
    const texts: string[] = [];
    while (consumer.queuedMessages > 0) texts.push((await consumer.receive()).text());
    return texts;
  };
  return { ...fixture, consumer, drain, flows: () => fixture.broker.of(CommandType.FLOW).map((f) => f.messagePermits) };
}

export function raise(): never {
  throw new Error("on purpose");
}

export async function take(consumer: Consumer, count: number): Promise<Message[]> {
  const messages: Message[] = [];
  for (let i = 0; i < count; i++) messages.push(await consumer.receive());
  return messages;
}

export const acks = ({ broker }: Fixture): unknown[] =>
  broker
    .of(CommandType.ACK)
    .map((a) => [
      a.ackType === CommandAckAckType.Cumulative ? "cumulative" : "individual",
      ...(a.messageId ?? []).map((id) => [id.entryId, ...(id.ackSet ?? []).map((w) => w.low)].join("/")),
    ]);

export const redelivered = ({ broker }: Fixture): number[][] =>
  broker.of(CommandType.REDELIVER_UNACKNOWLEDGED_MESSAGES).map((r) => (r.messageIds ?? []).map((id) => id.entryId));
