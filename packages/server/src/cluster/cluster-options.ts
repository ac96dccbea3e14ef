import type { Clock, ServerRuntime, ServerTlsOptions } from "@pulsewire/runtime";
import type { LedgersBefore } from "../bookkeeper/index.ts";
import type { Broker } from "../broker/broker.ts";
import { type BrokerSettings, parseSettings, settingNames } from "../broker/broker-settings.ts";
import type { Authenticator } from "../broker/connection/broker-context.ts";
import type { MetadataStore } from "../metadata/metadata-store.ts";
import type { BookieFolder } from "./data-folder.ts";
import { parseStorageSettings, type StorageSettings, storageSettingNames } from "./storage-settings.ts";

/** What an HTTP request is answered over. */
export interface HttpContext {
  /** The broker whose listener was asked. */
  readonly broker: Broker;
  /** The other side's. */
  readonly remoteAddress: string;
}

/** Answers HTTP requests. */
export type HttpHandler = (request: Request, context: HttpContext) => Promise<Response>;

/** What one process of a bookie keeps its entries in, where `storageFor` gives it. */
export type BookieStorage = Pick<BookieFolder, "storage" | "damagedFiles" | "watch">;

/** How a process of a bookie opens what it keeps its entries in. */
export interface BookieOpening {
  /** The process's own. */
  clock: Clock;
  /** Ledgers that it may have had entries of, to be asked where it has nothing. */
  ledgersBefore: () => Promise<LedgersBefore>;
  /** What the last process stored is lost. */
  wipe: boolean;
}

/** What a cluster is made of. Everything has a default: one broker, three bookies, memory, ports the system chooses. */
export interface ClusterOptions {
  /**
   * Time, randomness, network and disk. Default: Node's. Clusters may share all of it but the messenger, over which a
   * cluster's nodes know each other by name.
   */
  runtime?: ServerRuntime;
  /** Default `standalone`. */
  clusterName?: string;
  /** Brokers, 1 to 64. Default 1. */
  brokers?: number;
  /** Bookies, 1 to 256. Default 3. */
  bookies?: number;
  /**
   * Zones the bookies are dealt out to in turn, at most as many as bookies: bookies of zone n are put in the rack
   * `/zone-<n>` unless they are in one already, and copies of an entry go to different racks. Default 1: no racks.
   */
  zones?: number;
  /** E: bookies each ledger is spread over. Default 3, or all of fewer bookies. */
  ensembleSize?: number;
  /** Qw: copies of each entry. Default as `ensembleSize`. */
  writeQuorum?: number;
  /** Qa: copies confirmed before an entry counts. Default 2, or fewer with fewer copies. */
  ackQuorum?: number;
  /** The address to listen on. Default 127.0.0.1. */
  host?: string;
  /** What clients are told to connect to. Default: `host`, or `localhost` where that is every address. */
  advertisedAddress?: string;
  /** Binary port of the first broker; 0, the default, lets the system choose. Further brokers get what is free. */
  port?: number;
  /** HTTP port of the first broker; 0, the default, lets the system choose. */
  httpPort?: number;
  /** Certificate and key: the binary protocol, HTTP and WebSocket are also served over TLS. Default: no TLS. */
  tls?: ServerTlsOptions;
  /** Binary TLS port of the first broker; 0, the default, lets the system choose. */
  tlsPort?: number;
  /** HTTPS port of the first broker; 0, the default, lets the system choose. */
  httpsPort?: number;
  /**
   * A folder to keep data in, made when absent: what was acknowledged is synced to the disk, and the next cluster started
   * with it goes on with what is there. One cluster at a time. Default: everything is in memory.
   */
  dataDir?: string;
  /** Settings by Pulsar's own configuration names, and BookKeeper's of what bookies keep on disk. */
  settings?: Readonly<Record<string, unknown>>;
  /** Says who clients are. Default: everybody may connect. */
  authenticator?: Authenticator;
  /** Answers HTTP requests that nothing else does. Default: 404. */
  http?: HttpHandler;
  /** Told of housekeeping that failed and will be tried again. Default: nobody is. */
  onError?: (error: unknown) => void;
  /**
   * What a node (`broker-0`, or a bookie's `host:port`) gets in the place of its session with the metadata store: to
   * put time and failures between them. Default: the session itself.
   */
  metadataFor?: (session: MetadataStore, nodeId: string) => MetadataStore;
  /**
   * What a process of a bookie (`host:port`) keeps its entries in, asked at each of its starts: one that is started again
   * opens what is left, and never gets the storage that a process before it had open. That must do nothing more once its
   * process was killed, which is for whoever kills it to see to. Default: memory, or `dataDir`.
   */
  storageFor?: (bookieId: string, opening: BookieOpening) => Promise<BookieStorage>;
}

/** Options after their check, defaults filled in. */
export interface ResolvedOptions {
  clusterName: string;
  brokers: number;
  bookies: number;
  zones: number;
  host: string;
  /** As it stands in URLs. */
  advertisedAddress: string;
  port: number;
  httpPort: number;
  tlsPort: number;
  httpsPort: number;
  tls: ServerTlsOptions | undefined;
  settings: BrokerSettings;
  storage: StorageSettings;
  dataDir: string | undefined;
  authenticator: Authenticator | undefined;
  http: HttpHandler | undefined;
  onError: ((error: unknown) => void) | undefined;
  metadataFor: (session: MetadataStore, nodeId: string) => MetadataStore;
  storageFor: ((bookieId: string, opening: BookieOpening) => Promise<BookieStorage>) | undefined;
}

export const CLUSTER_OPTION_NAMES: readonly (keyof ClusterOptions)[] = [
  "runtime",
  "clusterName",
  "brokers",
  "bookies",
  "zones",
  "ensembleSize",
  "writeQuorum",
  "ackQuorum",
  "host",
  "advertisedAddress",
  "port",
  "httpPort",
  "tls",
  "tlsPort",
  "httpsPort",
  "dataDir",
  "settings",
  "authenticator",
  "http",
  "onError",
  "metadataFor",
  "storageFor",
];

type QuorumOption = "ensembleSize" | "writeQuorum" | "ackQuorum";
type QuorumSettings = Pick<
  BrokerSettings,
  "managedLedgerDefaultEnsembleSize" | "managedLedgerDefaultWriteQuorum" | "managedLedgerDefaultAckQuorum"
>;

const KNOWN: ReadonlySet<string> = new Set(CLUSTER_OPTION_NAMES);

/** @throws TypeError that names the option and what it takes. */
export function resolveOptions(options: ClusterOptions): ResolvedOptions {
  if (typeof options !== "object" || options === null || Array.isArray(options)) {
    throw new TypeError(`a cluster takes an object of options, or nothing, not ${JSON.stringify(options)}`);
  }
  for (const name of Object.keys(options)) {
    if (!KNOWN.has(name)) throw new TypeError(`${name}: there is no such option; there are ${[...KNOWN].join(", ")}`);
  }
  const host = name("host", options.host, "127.0.0.1");
  const bookies = integer("bookies", options.bookies, 3, 1, 256);
  const { ofBroker, ofStorage } = splitSettings(options.settings);
  const parsed = parseSettings(ofBroker);
  return {
    clusterName: name("clusterName", options.clusterName, "standalone"),
    brokers: integer("brokers", options.brokers, 1, 1, 64),
    bookies,
    zones: integer("zones", options.zones, 1, 1, bookies),
    host,
    advertisedAddress: inUrl(
      name("advertisedAddress", options.advertisedAddress, EVERY_ADDRESS.has(host) ? "localhost" : host),
    ),
    port: integer("port", options.port, 0, 0, 65535),
    httpPort: integer("httpPort", options.httpPort, 0, 0, 65535),
    tlsPort: integer("tlsPort", options.tlsPort, 0, 0, 65535),
    httpsPort: integer("httpsPort", options.httpsPort, 0, 0, 65535),
    tls: options.tls,
    settings: { ...parsed, ...quorumsOf(options, ofBroker, parsed, bookies) },
    storage: parseStorageSettings(ofStorage),
    dataDir: folder("dataDir", options.dataDir),
    authenticator: options.authenticator,
    http: options.http,
    onError: options.onError,
    metadataFor: options.metadataFor ?? ((session) => session),
    storageFor: options.storageFor,
  };
}

/** E, Qw and Qa: from the settings, from the options, or as many as there are; each at most the one before it. */
function quorumsOf(
  options: ClusterOptions,
  ofBroker: Readonly<Record<string, unknown>>,
  parsed: BrokerSettings,
  bookies: number,
): QuorumSettings {
  const size = (option: QuorumOption, setting: keyof QuorumSettings, byDefault: number, max: number): number =>
    ofBroker[setting] === undefined
      ? integer(option, options[option], byDefault, 1, max)
      : integer(`settings.${setting}`, parsed[setting], byDefault, 1, max);
  const ensemble = size("ensembleSize", "managedLedgerDefaultEnsembleSize", Math.min(3, bookies), bookies);
  const write = size("writeQuorum", "managedLedgerDefaultWriteQuorum", ensemble, ensemble);
  const ack = size("ackQuorum", "managedLedgerDefaultAckQuorum", Math.min(2, write), write);
  return {
    managedLedgerDefaultEnsembleSize: ensemble,
    managedLedgerDefaultWriteQuorum: write,
    managedLedgerDefaultAckQuorum: ack,
  };
}

/** Names of everything `settings` takes. */
export function clusterSettingNames(): readonly string[] {
  return [...settingNames(), ...storageSettingNames()];
}

function splitSettings(settings: Readonly<Record<string, unknown>> = {}): {
  ofBroker: Record<string, unknown>;
  ofStorage: Record<string, unknown>;
} {
  const storageNames: ReadonlySet<string> = new Set(storageSettingNames());
  const ofBroker: Record<string, unknown> = {};
  const ofStorage: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(settings)) (storageNames.has(name) ? ofStorage : ofBroker)[name] = value;
  return { ofBroker, ofStorage };
}

function folder(option: string, given: unknown): string | undefined {
  if (given === undefined || (typeof given === "string" && given !== "")) return given;
  throw new TypeError(`${option} takes the path of a folder, not ${JSON.stringify(given)}`);
}

const EVERY_ADDRESS: ReadonlySet<string> = new Set(["0.0.0.0", "::"]);

function inUrl(address: string): string {
  return address.includes(":") && !address.startsWith("[") ? `[${address}]` : address;
}

function integer(option: string, given: unknown, byDefault: number, min: number, max: number): number {
  const value = given ?? byDefault;
  if (typeof value === "number" && Number.isInteger(value) && value >= min && value <= max) return value;
  throw new TypeError(
    `${option} takes an integer from ${min} to ${max}, not ${typeof value === "string" ? JSON.stringify(value) : String(value)}`,
  );
}

function name(option: string, given: unknown, byDefault: string): string {
  const value = given ?? byDefault;
  if (typeof value === "string" && value !== "" && !/[\s/]/.test(value)) return value;
  throw new TypeError(`${option} takes a text without spaces and slashes, not ${JSON.stringify(value)}`);
}
