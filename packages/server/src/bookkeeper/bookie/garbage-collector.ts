import type { Clock, Timer } from "@pulsewire/runtime";
import { MetadataError, type MetadataStore } from "../../metadata/metadata-store.ts";
import { ledgerKey } from "../wire/ledger-key.ts";
import type { LedgerStorage } from "./ledger-storage.ts";

export interface GarbageCollectorOptions {
  clock: Clock;
  metadata: MetadataStore;
  storage: LedgerStorage;
  /** `gcWaitTime`: between two looks, in ms; 0 for none. */
  waitMs: number;
  /** Told of a look that failed for another reason than metadata that could not be had. */
  onError(error: unknown): void;
}

/**
 * Forgets ledgers that metadata no longer knows: their deletion may not have reached this bookie. A ledger is in metadata
 * before its first entry is anywhere, so that one which is here and not there was deleted.
 */
export class GarbageCollector implements Disposable {
  readonly #options: GarbageCollectorOptions;
  readonly #ticker: Timer | undefined;
  #running = false;
  #disposed = false;

  constructor(options: GarbageCollectorOptions) {
    this.#options = options;
    const { clock, waitMs } = options;
    if (waitMs > 0) this.#ticker = clock.setTicker(waitMs, () => this.collectSoon());
  }

  /** Looks now; answers how many ledgers went. Rejects with a MetadataError. */
  async collect(): Promise<number> {
    const { metadata, storage } = this.#options;
    let collected = 0;
    for (const ledgerId of [...storage.ledgerIds()]) {
      if (this.#disposed) break;
      if (await metadata.exists(ledgerKey(ledgerId))) continue;
      await storage.delete(ledgerId);
      collected++;
    }
    return collected;
  }

  /** Looks now, unless it does already. */
  collectSoon(): void {
    if (this.#running) return;
    this.#running = true;
    this.collect()
      .catch((error: unknown) => {
        // without metadata nothing is known to be garbage: it is looked at again the next time
        if (!(error instanceof MetadataError) && !this.#disposed) this.#options.onError(error);
      })
      .finally(() => {
        this.#running = false;
      });
  }

  [Symbol.dispose](): void {
    this.#disposed = true;
    this.#ticker?.cancel();
  }
}
