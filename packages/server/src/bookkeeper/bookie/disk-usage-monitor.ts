import type { Clock, Disk, Timer } from "@pulsewire/runtime";
import type { Bookie } from "./bookie.ts";
import type { BookieSettings } from "./storage-settings.ts";

export interface DiskUsageMonitorOptions {
  clock: Clock;
  disk: Disk;
  bookie: Pick<Bookie, "readOnly" | "setReadOnly">;
  settings: Pick<BookieSettings, "diskUsageThreshold" | "diskUsageLwmThreshold" | "diskCheckInterval">;
  onError: (error: unknown) => void;
}

/**
 * Makes a bookie read-only while its disk is nearly full, and for good once its storage failed.
 * States: watching <-> full -> failed (final) | stopped (final).
 */
export class DiskUsageMonitor implements Disposable {
  readonly #options: DiskUsageMonitorOptions;
  readonly #ticker: Timer;
  #state: "watching" | "full" | "failed" | "stopped" = "watching";
  #checking = false;

  constructor(options: DiskUsageMonitorOptions) {
    this.#options = options;
    this.#ticker = options.clock.setTicker(options.settings.diskCheckInterval, () => this.check());
  }

  /** Looks now; the bookie follows. */
  check(): void {
    if (this.#checking) return;
    this.#checking = true;
    this.#check()
      .catch((error: unknown) => this.#options.onError(error))
      .finally(() => {
        this.#checking = false;
      });
  }

  /** The storage takes no more, whatever room there is. */
  storageFailed(): void {
    if (this.#state === "stopped") return;
    this.#state = "failed";
    this.#options.bookie.setReadOnly(true).catch((error: unknown) => this.#options.onError(error));
  }

  [Symbol.dispose](): void {
    this.#state = "stopped";
    this.#ticker.cancel();
  }

  async #check(): Promise<void> {
    const { disk, settings, bookie } = this.#options;
    const { usedBytes, totalBytes } = await disk.usage();
    const share = totalBytes === 0 ? 0 : usedBytes / totalBytes;
    if (this.#state === "watching" && share >= settings.diskUsageThreshold) {
      this.#state = "full";
      await bookie.setReadOnly(true);
    } else if (this.#state === "full" && share < settings.diskUsageLwmThreshold) {
      this.#state = "watching";
      await bookie.setReadOnly(false);
    }
  }
}
