import type { Producer } from "../producing/producer.ts";
import type { ProducerOptions } from "../producing/producer-options.ts";
import { type Fixture, startFixture } from "./fixture.ts";

export interface WithProducer extends Fixture {
  producer: Producer;
}

export async function start(options: Partial<ProducerOptions> = {}): Promise<WithProducer> {
  const fixture = await startFixture();
  return { ...fixture, producer: await fixture.client.createProducer({ topic: "t", ...options }) };
}

export const numbers = (n: number): string[] => Array.from({ length: n }, (_, i) => String(i));
