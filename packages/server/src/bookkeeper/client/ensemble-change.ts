import type { NodeId } from "@pulsewire/runtime";
import type { BookiePool } from "./bookie-pool.ts";
import { BookKeeperError } from "./bookkeeper-error.ts";
import { type LedgerFragment, withFragment } from "./ledger-metadata.ts";
import type { LedgerMetadataStore, VersionedLedgerMetadata } from "./ledger-metadata-store.ts";

export interface EnsembleChangeOptions {
  pool: BookiePool;
  store: LedgerMetadataStore;
  writeQuorum: number;
  recovery: boolean;
}

/** Replaces failed bookies of a ledger that is being written. */
export class EnsembleChange {
  readonly #pool: BookiePool;
  readonly #store: LedgerMetadataStore;
  readonly #writeQuorum: number;
  readonly #recovery: boolean;
  readonly #failedSoFar = new Set<NodeId>();

  constructor({ pool, store, writeQuorum, recovery }: EnsembleChangeOptions) {
    this.#pool = pool;
    this.#store = store;
    this.#writeQuorum = writeQuorum;
    this.#recovery = recovery;
  }

  /**
   * The ensemble with others in the places of the failed; undefined where it stays as it is. NotEnoughBookies when there
   * are too few.
   * @param suspects Of the failed, those that may stay where nobody can take their place.
   */
  async replace(
    ensemble: readonly NodeId[],
    failed: ReadonlySet<NodeId>,
    suspects: ReadonlySet<NodeId>,
  ): Promise<NodeId[] | undefined> {
    try {
      return await this.#replaceAll(ensemble, failed);
    } catch (error) {
      if (suspects.size === 0 || BookKeeperError.from(error).code !== "NotEnoughBookies") throw error;
      // some would do: those that failed in earnest, and not those that are only slow
      return this.#replaceAll(ensemble, new Set([...failed].filter((bookie) => !suspects.has(bookie))));
    }
  }

  async #replaceAll(ensemble: readonly NodeId[], failed: ReadonlySet<NodeId>): Promise<NodeId[] | undefined> {
    for (const bookie of failed) this.#failedSoFar.add(bookie);
    if (!ensemble.some((bookie) => failed.has(bookie))) return undefined;
    const places = ensemble.map((bookie) => (failed.has(bookie) ? undefined : bookie));
    return this.#pool.replacements(places, this.#writeQuorum, new Set([...ensemble, ...this.#failedSoFar]));
  }

  /**
   * Writes the new fragment to the ledger's metadata. LedgerFenced when the ledger is no longer OPEN.
   *
   * A recovery keeps its fragments to itself until it closes the ledger. Were they written at once, a second recovery
   * could read a member that was only just put in place, has nothing yet, and so conclude that an acknowledged entry
   * is not there.
   */
  async commit(before: VersionedLedgerMetadata, fragment: LedgerFragment): Promise<VersionedLedgerMetadata> {
    if (this.#recovery) return { ...before, metadata: withFragment(before.metadata, fragment) };
    let current = before;
    for (;;) {
      const after = await this.#store.update(current, withFragment(current.metadata, fragment));
      if (after !== undefined) return after;
      current = await this.#store.read(before.ledgerId);
      if (current.metadata.state !== "OPEN") {
        throw new BookKeeperError("LedgerFenced", `ledger ${before.ledgerId} is ${current.metadata.state}`);
      }
    }
  }
}
