import type { NodeId } from "@pulsewire/runtime";
import type { BookiePool } from "./bookie-pool.ts";
import { BookKeeperError } from "./bookkeeper-error.ts";
import { type LedgerFragment, withFragment } from "./ledger-metadata.ts";
import type { LedgerMetadataStore, VersionedLedgerMetadata } from "./ledger-metadata-store.ts";

/** Replaces failed bookies of a ledger that is being written. */
export class EnsembleChange {
  readonly #pool: BookiePool;
  readonly #store: LedgerMetadataStore;
  readonly #recovery: boolean;
  readonly #failedSoFar = new Set<NodeId>();

  constructor(pool: BookiePool, store: LedgerMetadataStore, recovery: boolean) {
    this.#pool = pool;
    this.#store = store;
    this.#recovery = recovery;
  }

  /**
   * The ensemble with others in the places of the failed; undefined when none of them is in it any more.
   * NotEnoughBookies when there are too few.
   */
  async replace(ensemble: readonly NodeId[], failed: ReadonlySet<NodeId>): Promise<NodeId[] | undefined> {
    for (const bookie of failed) this.#failedSoFar.add(bookie);
    const slots = [...ensemble.keys()].filter((slot) => failed.has(ensemble[slot] as NodeId));
    if (slots.length === 0) return undefined;
    const chosen = await this.#pool.replacements(slots.length, new Set([...ensemble, ...this.#failedSoFar]));
    const next = [...ensemble];
    for (const [i, slot] of slots.entries()) next[slot] = chosen[i] as NodeId;
    return next;
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
