/**
 * Payloads that travel from our client to an official one and back: compressed, in chunks, encrypted. `PULSAR_URL` tells where
 * the cluster is; arguments are parts of the names of the ways to go. Prints `ok NAME` or `FAIL NAME reason` for each.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fixedKeys, type ProducerOptions, PulsarClient } from "@pulsewire/client";
import { run } from "../process.ts";
import { java, python, pythonCommand } from "../programs.ts";
import { exchangeValue, JAVA_SCHEMAS, PYTHON_SCHEMAS, type SchemaWay } from "./schemas.ts";

interface Way {
  name: string;
  compression: "NONE" | "LZ4" | "ZLIB" | "ZSTD" | "SNAPPY";
  form: "BATCHED" | "CHUNKED" | "SINGLE";
  /** The private key's file, where payloads are encrypted. */
  key?: string;
}

const WAYS: readonly Way[] = [
  { name: "lz4_batched", compression: "LZ4", form: "BATCHED" },
  { name: "zlib_batched", compression: "ZLIB", form: "BATCHED" },
  { name: "zstd_batched", compression: "ZSTD", form: "BATCHED" },
  { name: "zstd_single", compression: "ZSTD", form: "SINGLE" },
  { name: "snappy_batched", compression: "SNAPPY", form: "BATCHED" },
  { name: "snappy_single", compression: "SNAPPY", form: "SINGLE" },
  { name: "chunked", compression: "NONE", form: "CHUNKED" },
  { name: "chunked_zstd", compression: "ZSTD", form: "CHUNKED" },
  { name: "encrypted_single", compression: "NONE", form: "SINGLE", key: "priv.pem" },
  { name: "encrypted_batched_zstd", compression: "ZSTD", form: "BATCHED", key: "priv_pkcs1.pem" },
  { name: "encrypted_chunked_snappy", compression: "SNAPPY", form: "CHUNKED", key: "priv.pem" },
];

const here = import.meta.dirname;
const KEYS = join(here, "..", "keys");
const SERVICE_URL = process.env.PULSAR_URL ?? "pulsar://127.0.0.1:6650";
const RUN = (Date.now() % 1_000_000_000).toString();
const wanted = process.argv.slice(2);

/** Repetition and noise, so that every codec has something to do; small ones, and for chunks one above the broker's limit. */
function payloads(way: Way): Uint8Array[] {
  const sizes =
    way.form === "CHUNKED" ? [10, 6_000_000, 11_000_000, 0, 70_000] : [0, 1, 10, 100, 1000, 70_000, 200_000];
  return sizes.map((size, i) => {
    const bytes = new Uint8Array(size);
    let seed = i + 1;
    for (let k = 0; k < size; k++) {
      seed = (Math.imul(seed, 1_103_515_245) + 12_345) | 0;
      bytes[k] = k % 3 === 0 && way.form !== "CHUNKED" ? k % 7 : seed >>> 24;
    }
    return bytes;
  });
}

function optionsOf(way: Way): Partial<ProducerOptions> {
  const encryption = way.key === undefined ? {} : { encryptionKeys: ["k"], cryptoKeyReader: keyReader(way.key) };
  return {
    compressionType: way.compression,
    batchingEnabled: way.form === "BATCHED",
    batchingMaxPublishDelayMs: 20,
    batchingMaxBytes: 4 << 20,
    chunkingEnabled: way.form === "CHUNKED",
    ...encryption,
  };
}

function keyReader(file: string): ReturnType<typeof fixedKeys> {
  const text = (name: string): string => readFileSync(join(KEYS, name), "utf8");
  return fixedKeys({ publicKeys: { k: text("pub.pem") }, privateKeys: { k: text(file) } });
}

async function go(client: PulsarClient, way: Way, mirrored: Promise<void>, topics: [string, string]): Promise<void> {
  const reader = way.key === undefined ? {} : { cryptoKeyReader: keyReader(way.key) };
  const consumer = await client.subscribe({ topic: topics[1], subscription: "back", ...reader });
  const producer = await client.createProducer({ topic: topics[0], ...optionsOf(way) });
  const sent = payloads(way);
  await Promise.all(sent.map((data, i) => producer.send({ data, key: `k${i}`, properties: { i: String(i) } })));
  await mirrored;
  for (const [i, data] of sent.entries()) {
    const message = await consumer.receive(20_000);
    const same = message.data.length === data.length && message.data.every((byte, k) => byte === data[k]);
    if (!same) throw new Error(`message ${i} came back with ${message.data.length} bytes, ${data.length} were sent`);
    if (message.properties.i !== String(i) || message.key !== `k${i}`)
      throw new Error(`message ${i}: properties or key`);
    if ((message.encryptionContext !== undefined) !== (way.key !== undefined))
      throw new Error(`message ${i}: encryption`);
    await consumer.acknowledge(message);
  }
  await Promise.all([consumer.close(), producer.close()]);
}

/** All ways through one process of the other client. */
async function withMirror(language: string, command: string, args: readonly string[]): Promise<number> {
  const ways = WAYS.filter((w) => wanted.length === 0 || wanted.some((x) => `${language}_${w.name}`.includes(x)));
  if (ways.length === 0) return 0;
  const arrived = new Map(ways.map((w) => [w.name, resolvers()]));
  const topicsOf = (w: Way): [string, string] => [
    `exchange-${language}-${w.name}-${RUN}`,
    `exchange-${language}-${w.name}-${RUN}-back`,
  ];
  const lines = ways.map((w) =>
    [w.name, ...topicsOf(w), payloads(w).length, w.compression, w.form, w.key ?? "-"].join(","),
  );
  // one that fails is told when its turn comes
  for (const { promise } of arrived.values()) promise.catch(() => undefined);
  const onLine = (line: string): void => {
    const name = /^mirrored (\S+)/.exec(line)?.[1];
    if (name === undefined) console.log(`# ${line}`);
    else arrived.get(name)?.resolve();
  };
  const env = { PULSAR_URL: SERVICE_URL, CONF_KEYS: KEYS };
  const ended = run(command, [...args, ...lines], { env, onLine, timeoutMs: 240_000 }).then((code) => {
    for (const waiting of arrived.values()) waiting.reject(new Error(`the mirror ended with ${code}`));
  });
  await using client = new PulsarClient({
    serviceUrl: SERVICE_URL,
    logger: { debug: () => undefined, info: () => undefined, warn: console.warn, error: console.error },
  });
  let failed = 0;
  for (const way of ways) {
    const mirrored = (arrived.get(way.name) as ReturnType<typeof resolvers>).promise;
    try {
      await go(client, way, mirrored, topicsOf(way));
      console.log(`ok ${language}_${way.name}`);
    } catch (error) {
      failed++;
      console.log(`FAIL ${language}_${way.name} ${String(error).slice(0, 300)}`);
    }
  }
  await ended;
  return failed;
}

/** Values by their schemas, through one process of the other client. */
async function withSchemaMirror(
  language: string,
  all: readonly SchemaWay[],
  command: string,
  args: readonly string[],
): Promise<number> {
  const ways = all.filter((w) => wanted.length === 0 || wanted.some((x) => `${language}_schema_${w.name}`.includes(x)));
  if (ways.length === 0) return 0;
  const topicsOf = (w: SchemaWay): [string, string] => {
    const topic = `exchange-${language}-schema-${w.name}-${RUN}`;
    return [topic, `${topic}-back`];
  };
  const lines = ways.map((w) => [w.name, ...topicsOf(w)].join(","));
  const env = { PULSAR_URL: SERVICE_URL, CONF_KEYS: KEYS };
  const ended = run(command, [...args, ...lines], {
    env,
    onLine: (line) => console.log(`# ${line}`),
    timeoutMs: 240_000,
  });
  await using client = new PulsarClient({ serviceUrl: SERVICE_URL });
  let failed = 0;
  for (const way of ways) {
    try {
      await exchangeValue(client, way, topicsOf(way));
      console.log(`ok ${language}_schema_${way.name}`);
    } catch (error) {
      failed++;
      console.log(`FAIL ${language}_schema_${way.name} ${String(error).slice(0, 300)}`);
    }
  }
  await ended;
  return failed;
}

function resolvers(): { promise: Promise<void>; resolve: () => void; reject: (error: Error) => void } {
  let resolve: () => void = () => undefined;
  let reject: (error: Error) => void = () => undefined;
  const promise = new Promise<void>((yes, no) => {
    resolve = yes;
    reject = no;
  });
  return { promise, resolve, reject };
}

await Promise.all([python.prepare(), java.prepare()]);
const lib = join(here, "..", "java", "lib-4.2.4", "*");
const quiet = "-Dorg.slf4j.simpleLogger.defaultLogLevel=off";
const failures =
  (await withMirror("python", pythonCommand, [join(here, "mirror.py")])) +
  (await withMirror("java", "java", ["-Xmx1g", quiet, "-cp", lib, join(here, "Mirror.java")])) +
  (await withSchemaMirror("python", PYTHON_SCHEMAS, pythonCommand, [join(here, "schema_mirror.py")])) +
  (await withSchemaMirror("java", JAVA_SCHEMAS, "java", [
    "-Xmx1g",
    quiet,
    "-cp",
    lib,
    join(here, "SchemaMirror.java"),
  ]));
process.exitCode = failures === 0 ? 0 : 1;
