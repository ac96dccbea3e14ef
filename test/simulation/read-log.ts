import { type Message, MessageId, type PulsarClient } from "@pulsewire/client";
import type { Simulation } from "@pulsewire/simulator";

/** Everything in a topic's log, from its start to its end now, as a reader sees it. */
export async function readLog(simulation: Simulation, client: PulsarClient, topic: string): Promise<Message[]> {
  const messages: Message[] = [];
  const reading = (async () => {
    await using reader = await client.createReader({ topic, startMessageId: MessageId.earliest });
    while (await reader.hasMessageAvailable()) messages.push(await reader.readNext());
  })();
  await simulation.finish(reading);
  return messages;
}

export function textsOf(messages: readonly Message[]): string[] {
  return messages.map((message) => message.text());
}

/** `m0`, `m1`, …, in a topic that keeps everything. */
export const KEEP_ALL = { defaultRetentionTimeInMinutes: -1, defaultRetentionSizeInMB: -1 } as const;

export function numbered(count: number): string[] {
  return Array.from({ length: count }, (_, i) => `m${i}`);
}
