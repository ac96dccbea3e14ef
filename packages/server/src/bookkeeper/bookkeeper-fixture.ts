import {
  type Clock,
  createMemoryMessenger,
  createSeededRandom,
  ManualClock,
  type Messenger,
  type NodeId,
} from "@pulsewire/runtime";
import { createMemoryMetadata, type MemoryMetadata } from "../metadata/memory-metadata-store.ts";
import type { MetadataStore } from "../metadata/metadata-store.ts";
import { UnreliableMetadata } from "../metadata/unreliable-metadata-fixture.ts";
import { type Bookie, startBookie } from "./bookie/bookie.ts";
import { type BookKeeperClient, createBookKeeperClient } from "./client/bookkeeper-client.ts";
import type { BookKeeperClientSettings } from "./client/client-settings.ts";

/** A messenger of which a test holds back, loses or delays what it likes. */
export class TestMessenger implements Messenger {
  readonly #inner: Messenger = createMemoryMessenger();
  readonly #held: (() => void)[] = [];
  /** Decides about each message; default: all pass. */
  rule: (from: NodeId, to: NodeId, message: unknown) => "pass" | "hold" | "lose" = () => "pass";
  /** How long a message that passes is on its way, in ms. Default 0. */
  delayMs: (from: NodeId, to: NodeId) => number = () => 0;
  readonly #clock: Clock | undefined;

  constructor(clock?: Clock) {
    this.#clock = clock;
  }

  attach(node: NodeId, receive: (from: NodeId, message: unknown) => void): Disposable {
    return this.#inner.attach(node, receive);
  }

  send(from: NodeId, to: NodeId, message: unknown): void {
    const fate = this.rule(from, to, message);
    const delayMs = this.delayMs(from, to);
    if (fate === "pass" && delayMs > 0) this.#clock?.setTimer(delayMs, () => this.#inner.send(from, to, message));
    else if (fate === "pass") this.#inner.send(from, to, message);
    else if (fate === "hold") this.#held.push(() => this.#inner.send(from, to, message));
  }

  /** Lets everything held back go, and everything from now on pass. */
  release(): void {
    this.rule = () => "pass";
    for (const send of this.#held.splice(0)) send();
  }
}

/** One user of the bookies. */
export interface BookKeeperNode {
  metadata: MetadataStore;
  bookkeeper: BookKeeperClient;
}

/** Bookies and metadata in memory, on a clock that stands still. */
export class BookKeeperFixture {
  readonly clock: ManualClock = new ManualClock();
  readonly messenger: TestMessenger = new TestMessenger(this.clock);
  readonly metadata: MemoryMetadata = createMemoryMetadata({ clock: this.clock });
  readonly bookies: Bookie[] = [];
  #nodes = 0;

  static async start(bookies = 3): Promise<BookKeeperFixture> {
    const fixture = new BookKeeperFixture();
    await fixture.addBookies(bookies);
    return fixture;
  }

  /** `bookie-0`, `bookie-1`, … */
  async addBookie(): Promise<Bookie> {
    const id = `bookie-${this.bookies.length}`;
    const bookie = await startBookie({ id, messenger: this.messenger, metadata: this.metadata.session() });
    this.bookies.push(bookie);
    return bookie;
  }

  async addBookies(count: number): Promise<void> {
    for (let i = 0; i < count; i++) await this.addBookie();
  }

  /** `broker-0`, `broker-1`, … */
  node(settings: Partial<BookKeeperClientSettings> = {}): BookKeeperNode {
    return this.#nodeOver(this.metadata.session(), settings);
  }

  /** A node whose way to the metadata store a test breaks. */
  unreliableNode(): { metadata: UnreliableMetadata; bookkeeper: BookKeeperClient } {
    const metadata = new UnreliableMetadata(this.metadata.session());
    return { ...this.#nodeOver(metadata), metadata };
  }

  #nodeOver(metadata: MetadataStore, settings: Partial<BookKeeperClientSettings> = {}): BookKeeperNode {
    const { clock, messenger } = this;
    const nodeId = `broker-${this.#nodes++}`;
    const random = createSeededRandom(this.#nodes);
    return { metadata, bookkeeper: createBookKeeperClient({ clock, random, messenger, metadata, nodeId, settings }) };
  }
}

const utf8 = new TextEncoder();
const fromUtf8 = new TextDecoder();

export const bytesOf = (text: string): Uint8Array => utf8.encode(text);
export const textOf = (bytes: Uint8Array): string => fromUtf8.decode(bytes);
