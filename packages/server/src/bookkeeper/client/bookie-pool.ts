import type { Clock, Messenger, NodeId } from "@pulsewire/runtime";
import type { MetadataStore } from "../../metadata/metadata-store.ts";
import { AVAILABLE_BOOKIES_KEY, READONLY_NAME } from "../wire/bookie-registration.ts";
import type { BookieResponse } from "../wire/messages.ts";
import { BookieLink, type BookieLinkOptions } from "./bookie-link.ts";
import { BookKeeperError } from "./bookkeeper-error.ts";
import type { PlacementPolicy } from "./placement.ts";

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
    // a bookie that left will not answer what it was asked: no need to wait for the timeout
    this.#watch = options.metadata.watch(AVAILABLE_BOOKIES_KEY, ({ type, key }) => {
      if (type === "deleted") this.#links.get(key.slice(key.lastIndexOf("/") + 1))?.fail("BookieUnavailable");
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

  /** Chooses bookies for places of an ensemble. NotEnoughBookies when there are too few. */
  async choose(count: number, excluded: ReadonlySet<NodeId>): Promise<NodeId[]> {
    const available = await this.available();
    if (this.#closed) throw new BookKeeperError("ClientClosed", "the BookKeeper client is closed");
    const avoided = new Set(available.filter((bookie) => this.#links.get(bookie)?.quarantined === true));
    const chosen = this.#options.placement.choose(count, { available, excluded, avoided });
    if (chosen.length === count) return chosen;
    throw new BookKeeperError(
      "NotEnoughBookies",
      `${count} needed, ${available.length} take data, ${excluded.size} are ruled out`,
    );
  }

  close(): void {
    this.#closed = true;
    this.#watch[Symbol.dispose]();
    this.#attachment[Symbol.dispose]();
    for (const link of this.#links.values()) link.close();
  }
}
