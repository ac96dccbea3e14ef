import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { check, project, root, run, runBeside } from "./kit.ts";

const USE = `import { PulsarClient, type Consumer, type Message } from "@pulsewire/client";
import { PulsarAdmin } from "@pulsewire/client/admin";
import { acknowledging, messages$, sendTo } from "@pulsewire/client/rxjs";
import { from } from "rxjs";
export const client: PulsarClient = new PulsarClient({ serviceUrl: "pulsar://x:1" });
export const admin: PulsarAdmin = new PulsarAdmin({ serviceUrl: "http://x:1" });
export function text(m: Message): string { return m.text(); }
export async function stream(consumer: Consumer): Promise<void> {
  messages$(consumer).pipe(acknowledging(async (m) => m.text().length, { order: "key" })).subscribe();
  from(["a"]).pipe(sendTo(await client.createProducer({ topic: "t" }))).subscribe((id) => id.toString());
}
`;

/** What was written for the official Node client, against its own declarations and against ours. */
const COMPAT = `import Pulsar, * as Ours from "@pulsewire/client/compat";
import type * as Theirs from "pulsar-client";
type Assignable<To, From extends To> = [To, From];
export type Instances = [
  Assignable<Theirs.Message, Ours.Message>,
  Assignable<Theirs.MessageId, Ours.MessageId>,
  Assignable<Theirs.Producer, Ours.Producer>,
  Assignable<Theirs.Consumer, Ours.Consumer>,
  Assignable<Theirs.Reader, Ours.Reader>,
  // a reader's options hold an id, which has to be one of ours
  Assignable<Omit<Theirs.Client, "createReader">, Ours.Client>,
  Assignable<Theirs.CryptoKeyReader, Ours.CryptoKeyReader>,
];
export type Options = [
  Assignable<Ours.ProducerMessage, Theirs.ProducerMessage>,
  Assignable<Ours.SchemaInfo, Theirs.SchemaInfo>,
  Assignable<Ours.DeadLetterPolicy, Theirs.DeadLetterPolicy>,
  Assignable<Ours.KeySharedPolicy, Theirs.KeySharedPolicy>,
  Assignable<Ours.ConsumerBatchReceivePolicy, Theirs.ConsumerBatchReceivePolicy>,
  Assignable<Omit<Ours.ProducerConfig, "messageRouter" | "cryptoKeyReader">, Omit<Theirs.ProducerConfig, "messageRouter" | "cryptoKeyReader">>,
  Assignable<Omit<Ours.ConsumerConfig, "listener" | "cryptoKeyReader">, Omit<Theirs.ConsumerConfig, "listener" | "cryptoKeyReader">>,
];
/** True, or the names that only one of the two has. */
type Same<A, B> = [Exclude<keyof A, keyof B> | Exclude<keyof B, keyof A>] extends [never] ? true : Exclude<keyof A, keyof B> | Exclude<keyof B, keyof A>;
export const names: [
  Same<Ours.ClientConfigBase, Theirs.ClientConfigBase>,
  Same<Ours.ProducerConfig, Theirs.ProducerConfig>,
  Same<Ours.ConsumerConfig, Theirs.ConsumerConfig>,
  Same<Ours.ReaderConfig, Theirs.ReaderConfig>,
  Same<Ours.ProducerMessage, Theirs.ProducerMessage>,
  Same<Ours.Message, Theirs.Message>,
  Same<Ours.Producer, Theirs.Producer>,
  Same<Ours.Consumer, Theirs.Consumer>,
  Same<Ours.Reader, Theirs.Reader>,
  // declared there as a class that is not in the program
  Same<Omit<typeof Ours, "default">, Omit<typeof Theirs, "default" | "AthenzX509Config">>,
] = [true, true, true, true, true, true, true, true, true, true];
export const level: Pulsar.LogLevel = Pulsar.LogLevel.INFO;
`;

const SERVER = `import { startCluster, type Cluster } from "@pulsewire/server";
import { simulate, startTestCluster } from "@pulsewire/server/testing";
export const s: Promise<Cluster> = startCluster({ brokers: 2 });
export async function use(): Promise<number> {
  await using t = await startTestCluster({ clock: "virtual" });
  await t.time.advance(1000);
  return (await simulate(1, async ({ client }) => client().pendingBytes)).result;
}
`;

function compilerOptions(skipLibCheck: boolean): object {
  return {
    strict: true,
    exactOptionalPropertyTypes: true,
    skipLibCheck,
    noEmit: true,
    target: "ES2023",
    module: "NodeNext",
    moduleResolution: "NodeNext",
    lib: ["ES2023", "ESNext.Disposable", "DOM", "DOM.Iterable"],
    types: ["node"],
  };
}

async function compile(name: string, skipLibCheck: boolean, files: Readonly<Record<string, string>>): Promise<void> {
  const folder = join(project, "types", name);
  mkdirSync(folder, { recursive: true });
  for (const [file, text] of Object.entries(files)) writeFileSync(join(folder, file), text);
  const config = { compilerOptions: compilerOptions(skipLibCheck), files: Object.keys(files) };
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify(config));
  await runBeside(join(root, "node_modules", ".bin", "tsc"), ["-p", "."], folder);
}

export async function checkTypes(): Promise<void> {
  await check("types of the client and its subpaths, ESM and CommonJS, declarations checked too", () =>
    compile("client", false, { "esm.mts": USE, "cjs.cts": USE }),
  );

  await check("the official Node client's declarations and ours take each other's programs", async () => {
    const folder = join(project, "node_modules", "pulsar-client");
    mkdirSync(folder, { recursive: true });
    // its declarations only: installing it would download a binary
    run("npm", ["pack", "--silent", "--pack-destination", folder, "pulsar-client@1.18.0"], project);
    const archive = readdirSync(folder).find((f) => f.endsWith(".tgz")) as string;
    run("tar", ["xzf", archive, "--strip-components=1", "package/index.d.ts", "package/package.json"], folder);
    await compile("compat", false, { "esm.mts": COMPAT });
  });

  await check("types of the server and its testing kit", () =>
    // the declarations of its storage libraries are their own business
    compile("server", true, { "server.mts": SERVER }),
  );
}
