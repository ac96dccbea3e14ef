import type { Clock, NodeId } from "@pulsewire/runtime";
import type { MetadataStore } from "../../metadata/metadata-store.ts";
import { AVAILABLE_BOOKIES_KEY, READONLY_BOOKIES_KEY, READONLY_NAME } from "../wire/bookie-registration.ts";
import type { BookieResponse } from "../wire/messages.ts";
import { BookieLink, type BookieLinkOptions, type BookKeeperClientStatistics } from "./bookie-link.ts";
import { BookKeeperError } from "./bookkeeper-error.ts";
import type { PlacementInput, PlacementPolicy, Places } from "./placement.ts";

export interface BookiePoolOptions extends Omit<BookieLinkOptions, "statistics"> {
  metadata: MetadataStore;
  placement: PlacementPolicy;
  /** How long an entry may wait for its ack quorum; -1 for ever. */
  addQuorumTimeoutMs: number;
}

/** The bookies as one client knows them: a link to each it talked to, and which of them take data. */
export class BookiePool {
  readonly clock: Clock;
  readonly addQuorumTimeoutMs: number;
  readonly statistics: BookKeeperClientStatistics = { speculativeReads: 0, speculativeWrites: 0, repairedEntries: 0 };
  readonly #options: BookiePoolOptions;
  readonly #linkOptions: BookieLinkOptions;
  readonly #links = new Map<NodeId, BookieLink>();
  readonly #attachment: Disposable;
  readonly #watch: Disposable;
  /** Bookies that were seen to turn read-only: they leave the writable ones, and are there. */
  readonly #readOnly = new Set<NodeId>();
  readonly #writers = new Set<(bookie: NodeId) => void>();
  #closed = false;

  constructor(options: BookiePoolOptions) {
    this.#options = options;
    this.clock = options.clock;
    this.addQuorumTimeoutMs = options.addQuorumTimeoutMs;
    this.#linkOptions = { ...options, statistics: this.statistics };
    this.#attachment = options.messenger.attach(options.self, (from, message) => {
      this.#links.get(from)?.receive(message as BookieResponse);
    });
    this.#watch = options.metadata.watch(AVAILABLE_BOOKIES_KEY, ({ type, key }) => this.#registered(type, key));
  }

  /** Who writes is told when a bookie takes no data any more, until disposed. */
  onBookieGone(listener: (bookie: NodeId) => void): Disposable {
    this.#writers.add(listener);
    return { [Symbol.dispose]: () => this.#writers.delete(listener) };
  }

  link(bookie: NodeId): BookieLink {
    let link = this.#links.get(bookie);
    if (link === undefined) {
      link = new BookieLink(bookie, this.#linkOptions);
      this.#links.set(bookie, link);
    }
    return link;
  }

  /** Bookies that take data. */
  async available(): Promise<NodeId[]> {
    try {
      const names = await this.#options.metadata.children(AVAILABLE_BOOKIES_KEY);
      return names.filter((name) => name !== READONLY_NAME);
    } catch (error) {
      throw BookKeeperError.from(error);
    }
  }

  /** Bookies that are there, those that take no data too. */
  async registered(): Promise<Set<NodeId>> {
    try {
      const { metadata } = this.#options;
      // one that turns read-only, or writable, while this looks is in one of the three
      const before = await metadata.children(AVAILABLE_BOOKIES_KEY);
      const readOnly = await metadata.children(READONLY_BOOKIES_KEY);
      const after = await metadata.children(AVAILABLE_BOOKIES_KEY);
      return new Set([...before, ...readOnly, ...after].filter((name) => name !== READONLY_NAME));
    } catch (error) {
      throw BookKeeperError.from(error);
    }
  }

  /**
   * Bookies for a new ensemble; those that did not answer lately only where the others are too few.
   * NotEnoughBookies when there are too few.
   */
  async newEnsemble(size: number, writeQuorum: number): Promise<NodeId[]> {
    const available = await this.available();
    const places = new Array<undefined>(size).fill(undefined);
    const inputs = [this.#quarantined(available), new Set<NodeId>()].map((excluded) => ({
      available,
      excluded,
      writeQuorum,
    }));
    return this.#fill(places, inputs);
  }

  /**
   * Bookies in the empty places of an ensemble; none that did not answer lately, so that a writer that reaches nobody
   * comes to an end. NotEnoughBookies when there are too few.
   */
  async replacements(places: Places, writeQuorum: number, ruledOut: ReadonlySet<NodeId>): Promise<NodeId[]> {
    const available = await this.available();
    const excluded = new Set([...ruledOut, ...this.#quarantined(available)]);
    return this.#fill(places, [{ available, excluded, writeQuorum }]);
  }

  close(): void {
    this.#closed = true;
    this.#watch[Symbol.dispose]();
    this.#attachment[Symbol.dispose]();
    for (const link of this.#links.values()) link.close();
  }

  #registered(type: string, key: string): void {
    const bookie = key.slice(key.lastIndexOf("/") + 1);
    const readOnly = key.startsWith(`${READONLY_BOOKIES_KEY}/`);
    if (type === "created") {
      if (readOnly) this.#readOnly.add(bookie);
      this.#links.get(bookie)?.forgive();
    } else if (type === "deleted") {
      if (readOnly) this.#readOnly.delete(bookie);
      // a bookie that left will not answer what it was asked: no need to wait for the timeout
      else if (!this.#readOnly.has(bookie)) this.#links.get(bookie)?.lost();
      if (!readOnly) for (const tell of [...this.#writers]) tell(bookie);
    }
  }

  #quarantined(bookies: readonly NodeId[]): Set<NodeId> {
    return new Set(bookies.filter((bookie) => this.#links.get(bookie)?.quarantined === true));
  }

  /** With the first of some inputs that there is an ensemble for. */
  async #fill(places: Places, inputs: readonly PlacementInput[]): Promise<NodeId[]> {
    const { placement } = this.#options;
    try {
      await placement.refresh?.();
    } catch (error) {
      throw BookKeeperError.from(error);
    }
    if (this.#closed) throw new BookKeeperError("ClientClosed", "the BookKeeper client is closed");
    for (const input of inputs) {
      const filled = placement.fill(places, input);
      if (filled !== undefined) return filled;
    }
    throw notEnough(placement, places, inputs.at(-1) as PlacementInput);
  }
}

function notEnough(placement: PlacementPolicy, places: Places, input: PlacementInput): BookKeeperError {
  const { available, excluded } = input;
  const needed = places.filter((bookie) => bookie === undefined).length;
  const left = available.filter((bookie) => !excluded.has(bookie) && !places.includes(bookie)).length;
  const more = placement.constraint === undefined ? "" : `; ${placement.constraint(places, input)}`;
  const detail = `${needed} needed, ${available.length} take data, ${left} of them can be used${more}`;
  return new BookKeeperError("NotEnoughBookies", detail);
}
