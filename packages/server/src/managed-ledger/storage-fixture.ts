import {
  createMemoryMessenger,
  createSeededRandom,
  ManualClock,
  type Messenger,
  type NodeId,
} from "@pulsewire/runtime";
import { type Bookie, startBookie } from "../bookkeeper/bookie/bookie.ts";
import { type BookKeeperClient, createBookKeeperClient } from "../bookkeeper/client/bookkeeper-client.ts";
import { createMemoryMetadata, type MemoryMetadata } from "../metadata/memory-metadata-store.ts";
import type { MetadataStore } from "../metadata/metadata-store.ts";
import type {
  AppendListener,
  ManagedLedger,
  ManagedLedgerError,
  ManagedLedgerFactory,
  ManagedLedgerOptions,
} from "./managed-ledger.ts";
import { createManagedLedgerFactory } from "./managed-ledger-factory.ts";
import type { Position } from "./position.ts";

/** A messenger of which a test holds back, loses or delays what it likes. */
export class TestMessenger implements Messenger {
  readonly #inner: Messenger = createMemoryMessenger();
  readonly #held: (() => void)[] = [];
  /** Decides about each message; default: all pass. */
  rule: (from: NodeId, to: NodeId, message: unknown) => "pass" | "hold" | "lose" = () => "pass";

  attach(node: NodeId, receive: (from: NodeId, message: unknown) => void): Disposable {
    return this.#inner.attach(node, receive);
  }

  send(from: NodeId, to: NodeId, message: unknown): void {
    const fate = this.rule(from, to, message);
    if (fate === "pass") this.#inner.send(from, to, message);
    else if (fate === "hold") this.#held.push(() => this.#inner.send(from, to, message));
  }

  /** Lets everything held back go, and everything from now on pass. */
  release(): void {
    this.rule = () => "pass";
    for (const send of this.#held.splice(0)) send();
  }
}

/** One broker's side of storage. */
export interface StorageNode {
  metadata: MetadataStore;
  bookkeeper: BookKeeperClient;
  factory: ManagedLedgerFactory;
}

/** Bookies and metadata in memory, on a clock that stands still. */
export class StorageFixture {
  readonly clock: ManualClock = new ManualClock();
  readonly messenger: TestMessenger = new TestMessenger();
  readonly metadata: MemoryMetadata = createMemoryMetadata({ clock: this.clock });
  readonly bookies: Bookie[] = [];
  #nodes = 0;

  static async start(bookies = 3): Promise<StorageFixture> {
    const fixture = new StorageFixture();
    for (let i = 0; i < bookies; i++) await fixture.addBookie();
    return fixture;
  }

  async addBookie(): Promise<Bookie> {
    const id = `bookie-${this.bookies.length}`;
    const bookie = await startBookie({ id, messenger: this.messenger, metadata: this.metadata.session() });
    this.bookies.push(bookie);
    return bookie;
  }

  node(cacheBytesMax?: number): StorageNode {
    const { clock, messenger } = this;
    const nodeId = `broker-${this.#nodes++}`;
    const metadata = this.metadata.session();
    const random = createSeededRandom(this.#nodes);
    const bookkeeper = createBookKeeperClient({ clock, random, messenger, metadata, nodeId });
    const cache = cacheBytesMax === undefined ? {} : { cacheBytesMax };
    return { metadata, bookkeeper, factory: createManagedLedgerFactory({ clock, bookkeeper, metadata, ...cache }) };
  }

  open(options: ManagedLedgerOptions = {}, name = "public/default/persistent/t"): Promise<ManagedLedger> {
    return this.node().factory.open(name, options);
  }
}

const utf8 = new TextEncoder();
const fromUtf8 = new TextDecoder();

export const bytesOf = (text: string): Uint8Array => utf8.encode(text);
export const textOf = (bytes: Uint8Array): string => fromUtf8.decode(bytes);

/** Appends one entry; rejects with the ManagedLedgerError. */
export function append(ledger: ManagedLedger, text: string): Promise<Position> {
  return new Promise((resolve, reject) => {
    ledger.append(bytesOf(text), { onAppended: resolve, onAppendFailed: reject });
  });
}

/** Appends some entries at once and waits for all. */
export function appendMany(ledger: ManagedLedger, count: number, prefix = "m"): Promise<Position[]> {
  return Promise.all(Array.from({ length: count }, (_, i) => append(ledger, `${prefix}${i}`)));
}

/** Keeps what it is told, in order. */
export class RecordingListener implements AppendListener {
  readonly positions: Position[] = [];
  readonly errors: ManagedLedgerError[] = [];

  onAppended(position: Position): void {
    this.positions.push(position);
  }

  onAppendFailed(error: ManagedLedgerError): void {
    this.errors.push(error);
  }
}
