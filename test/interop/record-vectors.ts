// Records frames that official clients and a real broker exchange, through a tap between them, as data for
// protocol/vectors/: one example of each shape of each command, by direction and client.
//   node --conditions=source --import tsx test/interop/record-vectors.ts
import { writeFileSync } from "node:fs";
import { connect, createServer, type Socket } from "node:net";
import { join } from "node:path";
import { COMMAND_NAMES, type Command, CommandType, FrameDecoder } from "@pulsewire/protocol";
import { run } from "./process.ts";
import { java, type Program, python, root } from "./programs.ts";
import { freePort, startRealBroker } from "./real-broker.ts";

interface Vector {
  client: string;
  from: "client" | "broker";
  command: string;
  /** The whole frame. */
  hex: string;
}

/** Frames longer than this say nothing that shorter ones do not. */
const FRAME_BYTES_MAX = 1500;
const PER_SHAPE = 1;

/** The fields that are there, nested ones too: two frames of one shape teach the same. */
function shapeOf(value: unknown): string {
  if (Array.isArray(value)) return value.length === 0 ? "" : `[${shapeOf(value[0])}]`;
  if (value === null || typeof value !== "object" || value instanceof Uint8Array) return "";
  return Object.entries(value)
    .filter(([, v]) => v !== undefined && !(Array.isArray(v) && v.length === 0))
    .map(([k, v]) => `${k}{${shapeOf(v)}}`)
    .join(",");
}

class Recorder {
  readonly vectors: Vector[] = [];
  readonly #counts = new Map<string, number>();

  record(client: string, from: Vector["from"], command: Command, frame: Uint8Array): void {
    if (client === "" || frame.length > FRAME_BYTES_MAX) return;
    const name = COMMAND_NAMES[command.type] ?? "?";
    const key = `${client} ${from} ${name} ${shapeOf(command.body)}`;
    const count = this.#counts.get(key) ?? 0;
    if (count >= PER_SHAPE) return;
    this.#counts.set(key, count + 1);
    this.vectors.push({ client, from, command: name, hex: Buffer.from(frame).toString("hex") });
  }
}

/** Follows one direction of a connection and reports whole frames with their bytes. */
function follow(onFrame: (command: Command, frame: Uint8Array) => void): (chunk: Uint8Array) => void {
  let buffered = Buffer.alloc(0);
  return (chunk) => {
    buffered = Buffer.concat([buffered, chunk]);
    while (buffered.length >= 4) {
      const size = 4 + buffered.readUInt32BE(0);
      if (buffered.length < size) return;
      const frame = Buffer.from(buffered.subarray(0, size));
      buffered = buffered.subarray(size);
      new FrameDecoder({ onFrame: (command) => onFrame(command, frame) }, { frameSizeBytesMax: 1 << 24 }).push(frame);
    }
  };
}

interface Tap {
  close(): void;
}

/** `Pulsar-CPP-v4.2.0` is what the Python client is made of. */
function clientName(version: string): string {
  return version.includes("CPP") ? "python" : "java";
}

async function tap(recorder: Recorder, recording: () => boolean, brokerPort: number, port: number): Promise<Tap> {
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    const broker = connect(brokerPort, "127.0.0.1");
    sockets.add(client).add(broker);
    // the broker's own clients come through here too: each connection goes by what its CONNECT says
    let name = "";
    const fromClient = follow((c, f) => {
      if (c.type === CommandType.CONNECT) name = recording() ? clientName(c.body.clientVersion) : "";
      recorder.record(name, "client", c, f);
    });
    const fromBroker = follow((c, f) => recorder.record(name, "broker", c, f));
    client.on("data", (chunk) => {
      fromClient(chunk);
      broker.write(chunk);
    });
    broker.on("data", (chunk) => {
      fromBroker(chunk);
      client.write(chunk);
    });
    client.on("close", () => broker.destroy()).on("error", () => broker.destroy());
    broker.on("close", () => client.destroy()).on("error", () => client.destroy());
  });
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  return {
    close() {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}

async function main(): Promise<void> {
  const recorder = new Recorder();
  let recording = false;
  // the broker must send clients back to the tap: it advertises the tap's port on a listener of its own
  const tapPort = await freePort();
  const brokerPort = await freePort();
  const tapped = await tap(recorder, () => recording, brokerPort, tapPort);
  const settings = [`advertisedListeners=tap:pulsar://127.0.0.1:${tapPort}`, "internalListenerName=tap"];
  const broker = await startRealBroker(settings, brokerPort);
  try {
    for (const program of [python, java] as readonly Program[]) {
      await program.prepare();
      recording = true;
      const { command, args, options } = program.command([]);
      const env = { ...options.env, PULSAR_URL: `pulsar://127.0.0.1:${tapPort}`, PULSAR_ADMIN_URL: broker.adminUrl };
      await run(command, args, { ...options, env, timeoutMs: 10 * 60_000 });
    }
  } finally {
    tapped.close();
    await broker.stop();
  }
  const order = (v: Vector): string => `${v.command} ${v.client} ${v.from}`;
  recorder.vectors.sort((a, b) => (order(a) < order(b) ? -1 : 1));
  const lines = recorder.vectors.map((v) => JSON.stringify(v));
  writeFileSync(join(root, "protocol", "vectors", "frames.json"), `[\n${lines.join(",\n")}\n]\n`);
  console.log(`${lines.length} frames of ${new Set(recorder.vectors.map((v) => v.command)).size} commands`);
}

await main();
