import { createNodeClientRuntime } from "@pulsewire/runtime/node";
import { CoreClient } from "./client.ts";
import type { PulsarClientOptions } from "./client-options.ts";

export * from "./public-names.ts";

/**
 * A client of a Pulsar cluster.
 *
 * @example
 * await using client = new PulsarClient({ serviceUrl: "pulsar://localhost:6650" });
 * await using producer = await client.createProducer({ topic: "greetings" });
 * await producer.send("hello");
 */
export class PulsarClient extends CoreClient {
  /** Throws a PulsarError for a wrong option. Connects when something is first asked of it. */
  constructor(options: PulsarClientOptions) {
    super(options, options?.runtime ?? createNodeClientRuntime());
  }
}

export function createClient(options: PulsarClientOptions): PulsarClient {
  return new PulsarClient(options);
}
