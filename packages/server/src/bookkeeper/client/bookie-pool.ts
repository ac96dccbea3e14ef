import type { Clock, Messenger, NodeId } from "@pulsewire/runtime";
import type { MetadataStore } from "../../metadata/metadata-store.ts";
import { AVAILABLE_BOOKIES_KEY, READONLY_NAME } from "../wire/bookie-registration.ts";
import type { BookieResponse } from "../wire/messages.ts";
import { BookieLink, type BookieLinkOptions } from "./bookie-link.ts";
import { BookKeeperError } from "./bookkeeper-error.ts";
import type { PlacementInput, PlacementPolicy } from "./placement.ts";

export interface BookiePoolOptions {
  clock: Clock;
  messenger: Messenger;
  metadata: MetadataStore;
  self: NodeId;
  requestTimeoutMs: number;
  quarantineMs: number;
  placement: PlacementPolicy;
}

/** The bookies as one client knows them: a link to each it talked to, and which of them take data. */
export class BookiePool {
  readonly #options: BookiePoolOptions;
  readonly #linkOptions: BookieLinkOptions;
  readonly #links = new Map<NodeId, BookieLink>();
  readonly #attachment: Disposable;
  readonly #watch: Disposable;
  #closed = false;

  constructor(options: BookiePoolOptions) {
    this.#options = options;
    this.#linkOptions = options;
    this.#attachment = options.messenger.attach(options.self, (from, message) => {
      this.#links.get(from)?.receive(message as BookieResponse);
    });
    this.#watch = options.metadata.watch(AVAILABLE_BOOKIES_KEY, ({ type, key }) => {
      const link = this.#links.get(key.slice(key.lastIndexOf("/") + 1));
      // a bookie that left will not answer what it was asked: no need to wait for the timeout
      if (type === "deleted") link?.fail("BookieUnavailable");
      else if (type === "created") link?.forgive();
    });
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

  /**
   * Bookies for a new ensemble; those that did not answer lately only where the others are too few.
   * NotEnoughBookies when there are too few.
   */
  async newEnsemble(size: number): Promise<NodeId[]> {
    const available = await this.available();
    return this.#choose(size, { available, excluded: new Set(), avoided: this.#quarantined(available) });
  }

  /**
   * Bookies to take the places of some that failed; none that did not answer lately, so that a writer that reaches
   * nobody comes to an end. NotEnoughBookies when there are too few.
   */
  async replacements(count: number, ruledOut: ReadonlySet<NodeId>): Promise<NodeId[]> {
    const available = await this.available();
    const excluded = new Set([...ruledOut, ...this.#quarantined(available)]);
    return this.#choose(count, { available, excluded, avoided: new Set() });
  }

  close(): void {
    this.#closed = true;
    this.#watch[Symbol.dispose]();
    this.#attachment[Symbol.dispose]();
    for (const link of this.#links.values()) link.close();
  }

  #quarantined(bookies: readonly NodeId[]): Set<NodeId> {
    return new Set(bookies.filter((bookie) => this.#links.get(bookie)?.quarantined === true));
  }

  #choose(count: number, input: PlacementInput): NodeId[] {
    if (this.#closed) throw new BookKeeperError("ClientClosed", "the BookKeeper client is closed");
    const chosen = this.#options.placement.choose(count, input);
    if (chosen.length === count) return chosen;
    const { available, excluded } = input;
    const left = available.filter((bookie) => !excluded.has(bookie)).length;
    const detail = `${count} needed, ${available.length} take data, ${left} of them can be used`;
    throw new BookKeeperError("NotEnoughBookies", detail);
  }
}
