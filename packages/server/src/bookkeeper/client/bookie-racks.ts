import type { NodeId } from "@pulsewire/runtime";
import type { MetadataStore } from "../../metadata/metadata-store.ts";
import type { Rack } from "./rack-assignment.ts";
import type { BookieRackSource } from "./rack-placement.ts";

/** Where Pulsar keeps which rack each bookie stands in. */
export const BOOKIE_RACKS_KEY = "/bookies";
/** The rack of a bookie of which nothing is said. */
export const DEFAULT_RACK: Rack = "/default-rack";

/** What is said of one bookie; by Pulsar's own names. */
export interface BookieRackInfo {
  rack?: Rack;
  hostname?: string;
}

/** Bookies by group. */
export type BookieRackGroups = Record<string, Record<NodeId, BookieRackInfo>>;

const fromUtf8 = new TextDecoder();
const utf8 = new TextEncoder();

export function decodeRackGroups(value: Uint8Array): BookieRackGroups {
  return JSON.parse(fromUtf8.decode(value)) as BookieRackGroups;
}

export function encodeRackGroups(groups: BookieRackGroups): Uint8Array {
  return utf8.encode(JSON.stringify(groups));
}

/** The racks of bookies as metadata has them, read again after each change. */
export class BookieRacks implements BookieRackSource, Disposable {
  readonly #metadata: MetadataStore;
  readonly #watch: Disposable;
  readonly #expiry: Disposable;
  #racks: ReadonlyMap<NodeId, Rack> = new Map();
  #stale = true;

  constructor(metadata: MetadataStore) {
    this.#metadata = metadata;
    const changed = (): void => {
      this.#stale = true;
    };
    this.#watch = metadata.watch(BOOKIE_RACKS_KEY, changed);
    // changes may have been missed while there was no session
    this.#expiry = metadata.onSessionExpired(changed);
  }

  async refresh(): Promise<void> {
    if (!this.#stale) return;
    this.#stale = false;
    try {
      const found = await this.#metadata.get(BOOKIE_RACKS_KEY);
      this.#racks = racksOf(found === undefined ? {} : decodeRackGroups(found.value));
    } catch (error) {
      this.#stale = true;
      throw error;
    }
  }

  rackOf(bookie: NodeId): Rack {
    return this.#racks.get(bookie) ?? DEFAULT_RACK;
  }

  [Symbol.dispose](): void {
    this.#watch[Symbol.dispose]();
    this.#expiry[Symbol.dispose]();
  }
}

function racksOf(groups: BookieRackGroups): Map<NodeId, Rack> {
  const racks = new Map<NodeId, Rack>();
  for (const bookies of Object.values(groups)) {
    for (const [bookie, { rack }] of Object.entries(bookies)) {
      if (rack !== undefined && rack !== "") racks.set(bookie, normalized(rack));
    }
  }
  return racks;
}

/** `rack`, `/rack` and `/rack/` are one. */
function normalized(rack: Rack): Rack {
  return `/${rack
    .split("/")
    .filter((name) => name !== "")
    .join("/")}`;
}
