import type { Channel } from "@pulsewire/runtime";
import { drainMicrotasks } from "@pulsewire/runtime/node";
import { createSimulation, type Simulation, type SimulationOptions } from "./simulation.ts";

export function simulate(faults: NonNullable<SimulationOptions["faults"]> = {}, seed = 1): Simulation {
  return createSimulation({ seed, drain: drainMicrotasks, faults });
}

/** What a node was told by a channel, as text. */
export interface Heard {
  readonly texts: string[];
  ended: string | undefined;
}

export function hear(channel: Channel): Heard {
  const heard: Heard = { texts: [], ended: undefined };
  channel.setSink({
    onData: (chunk) => heard.texts.push(new TextDecoder().decode(chunk)),
    onDrain: () => heard.texts.push("(drained)"),
    onClose: (error) => {
      heard.ended = error === undefined ? "closed" : "reset";
    },
  });
  return heard;
}

export const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);

export const textOf = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);

/** A connection from `client` to a listener at `server`. */
export async function connect(simulation: Simulation): Promise<{ client: Channel; server: Channel }> {
  const accepted: Channel[] = [];
  const listening = simulation
    .runtimeFor("server")
    .network.listen({ host: "server", port: 1 }, (channel) => accepted.push(channel));
  await simulation.finish(listening);
  const connecting = simulation.runtimeFor("client").network.connect({ transport: "tcp", host: "server", port: 1 });
  const client = await simulation.finish(connecting);
  await simulation.until(() => accepted.length > 0);
  return { client, server: accepted[0] as Channel };
}
