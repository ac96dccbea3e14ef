import { readFileSync } from "node:fs";
import { Command, InvalidArgumentError } from "commander";
import { type ClusterOptions, clusterSettingNames } from "../cluster/cluster-options.ts";

/** What the command line asked for. */
export interface CliOptions {
  cluster: ClusterOptions;
  /** Print one line of JSON when ready. */
  json: boolean;
}

/** Wrong usage; the message says what is right. */
export class UsageError extends Error {}

function integer(name: string, min: number, max: number): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (Number.isInteger(value) && value >= min && value <= max) return value;
    throw new InvalidArgumentError(`${name} takes an integer from ${min} to ${max}.`);
  };
}

function setting(text: string, before: Record<string, string>): Record<string, string> {
  const at = text.indexOf("=");
  if (at <= 0) throw new InvalidArgumentError("--set takes key=value, as in --set allowAutoTopicCreation=false.");
  return { ...before, [text.slice(0, at)]: text.slice(at + 1) };
}

const port = (name: string) => integer(name, 0, 65535);

interface Parsed {
  port: number;
  httpPort: number;
  tlsPort?: number;
  httpsPort?: number;
  host: string;
  brokers: number;
  bookies: number;
  zones?: number;
  dataDir?: string;
  config?: string;
  set: Record<string, string>;
  json?: boolean;
}

function command(): Command {
  return new Command("pulsewire")
    .description("A whole Apache Pulsar cluster in one process.")
    .option("--port <port>", "port of the binary protocol; 0 lets the system choose", port("--port"), 6650)
    .option(
      "--http-port <port>",
      "port of admin REST, lookup, metrics and /ws/binary; 0 lets the system choose",
      port("--http-port"),
      8080,
    )
    .option(
      "--tls-port <port>",
      "port of the binary protocol over TLS; needs tlsCertificateFilePath and tlsKeyFilePath",
      port("--tls-port"),
    )
    .option("--https-port <port>", "port of the web service over TLS", port("--https-port"))
    .option("--host <host>", "address to listen on", "127.0.0.1")
    .option("--brokers <count>", "brokers", integer("--brokers", 1, 64), 1)
    .option("--bookies <count>", "bookies", integer("--bookies", 1, 256), 3)
    .option("--zones <count>", "zones the bookies are spread over", integer("--zones", 1, 256))
    .option("--data-dir <folder>", "keep data in a folder, synced to the disk; default: in memory")
    .option("--config <file>", "settings from a file of key=value lines, as Pulsar's broker.conf")
    .option("--set <key=value>", "a setting by Pulsar's own name; may be repeated", setting, {})
    .option("--json", "print one line of JSON when ready")
    .addHelpText(
      "after",
      `\nCommands: decommission <bookie> [--admin-url <url>]: a bookie of a running cluster leaves\n\nSettings: ${clusterSettingNames().join(", ")}, tlsCertificateFilePath, tlsKeyFilePath, tlsTrustCertsFilePath`,
    )
    .allowExcessArguments(false)
    .exitOverride();
}

/** `key=value` lines; `#` starts a comment. Settings this server does not know are passed over: the file is Pulsar's. */
export function readConfig(text: string): Record<string, string> {
  const known = new Set<string>([...clusterSettingNames(), ...TLS_SETTINGS]);
  const settings: Record<string, string> = {};
  for (const line of text.split(/\r?\n/)) {
    const at = line.indexOf("=");
    const key = line.slice(0, at).trim();
    if (at > 0 && !key.startsWith("#") && known.has(key)) settings[key] = line.slice(at + 1).trim();
  }
  return settings;
}

const TLS_SETTINGS = ["tlsCertificateFilePath", "tlsKeyFilePath", "tlsTrustCertsFilePath"] as const;

function readFile(what: string, path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    throw new UsageError(`${what}: cannot read ${path}: ${(error as Error).message}`);
  }
}

type TlsOptions = Pick<ClusterOptions, "tls" | "tlsPort" | "httpsPort">;

function tlsOptions(settings: Record<string, string>, parsed: Parsed): TlsOptions {
  const { tlsCertificateFilePath: cert, tlsKeyFilePath: key, tlsTrustCertsFilePath: ca } = settings;
  for (const name of TLS_SETTINGS) delete settings[name];
  if (cert === undefined && key === undefined) {
    if (parsed.tlsPort === undefined && parsed.httpsPort === undefined) return {};
    const flag = parsed.tlsPort === undefined ? "--https-port" : "--tls-port";
    throw new UsageError(`${flag} needs --set tlsCertificateFilePath=FILE and --set tlsKeyFilePath=FILE`);
  }
  if (!cert || !key) throw new UsageError("tlsCertificateFilePath and tlsKeyFilePath go together");
  return {
    tls: {
      cert: readFile("tlsCertificateFilePath", cert),
      key: readFile("tlsKeyFilePath", key),
      ...(ca ? { ca: readFile("tlsTrustCertsFilePath", ca) } : {}),
    },
    tlsPort: parsed.tlsPort ?? 6651,
    httpsPort: parsed.httpsPort ?? 8443,
  };
}

/** @throws CommanderError with its own exit code, for --help too; UsageError for what does not go together. */
export function parseCommandLine(args: readonly string[]): CliOptions {
  const parsed = command()
    .parse([...args], { from: "user" })
    .opts<Parsed>();
  const fromFile = parsed.config === undefined ? {} : readConfig(readFile("--config", parsed.config));
  const settings = { ...fromFile, ...parsed.set };
  const tls = tlsOptions(settings, parsed);
  const { host, brokers, bookies, zones = 1, httpPort, dataDir } = parsed;
  const data = dataDir === undefined ? {} : { dataDir };
  return {
    cluster: { host, brokers, bookies, zones, httpPort, port: parsed.port, settings, ...data, ...tls },
    json: parsed.json === true,
  };
}
