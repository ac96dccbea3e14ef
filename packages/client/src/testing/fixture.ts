import {
  type ClientRuntime,
  createMemoryNetwork,
  createSeededRandom,
  ManualClock,
  type MemoryNetwork,
} from "@pulsewire/runtime";
import { createNodeClientRuntime } from "@pulsewire/runtime/node";
import { CoreClient } from "../client.ts";
import type { PulsarClientOptions } from "../client-options.ts";
import type { PulsarError } from "../errors.ts";
import { FakeBroker } from "./fake-broker.ts";

export interface Fixture {
  clock: ManualClock;
  network: MemoryNetwork;
  runtime: ClientRuntime;
  broker: FakeBroker;
  client: CoreClient;
  /** Everything that can run without time passing has run. */
  settle(): Promise<void>;
}

export function memoryRuntime(): { clock: ManualClock; network: MemoryNetwork; runtime: ClientRuntime } {
  const clock = new ManualClock();
  const network = createMemoryNetwork();
  const { codec } = createNodeClientRuntime();
  return { clock, network, runtime: { clock, network, random: createSeededRandom(1), codec } };
}

/** A client and a fake broker, with time that stands still. */
export async function startFixture(options: Partial<PulsarClientOptions> = {}): Promise<Fixture> {
  const { clock, network, runtime } = memoryRuntime();
  const broker = await FakeBroker.start(network);
  const client = new CoreClient({ serviceUrl: broker.url, ...options }, runtime);
  const settle = async (): Promise<void> => {
    for (let i = 0; i < 5; i++) await clock.settle();
  };
  return { clock, network, runtime, broker, client, settle };
}

/** The code a promise rejects with, or `resolved`. */
export function outcome(promise: Promise<unknown>): Promise<string> {
  return promise.then(
    () => "resolved",
    (error: PulsarError) => error.code,
  );
}

/** Whether a promise has settled by now. */
export async function isSettled(promise: Promise<unknown>): Promise<boolean> {
  let settled = false;
  const note = (): void => {
    settled = true;
  };
  promise.then(note, note);
  await undefined;
  return settled;
}
