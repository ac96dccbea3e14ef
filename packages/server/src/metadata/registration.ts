import type { Clock, Timer } from "@pulsewire/runtime";
import { MetadataError, type MetadataStore } from "./metadata-store.ts";
import { onSessionRenewed } from "./renewing-metadata.ts";

/** How long after a failure a key is tried to be put again, in ms. */
const RETRY_MS = 1_000;

export interface RegistrationOptions {
  metadata: MetadataStore;
  clock: Clock;
  /** Puts the keys that say that the node is there. */
  register(): Promise<void>;
  /** Told of failures; they are tried again. */
  onError(error: unknown): void;
}

/** Registers a node again each time its session was renewed, until that succeeds. */
export class Registration implements Disposable {
  readonly #options: RegistrationOptions;
  readonly #watch: Disposable;
  #timer: Timer | undefined;
  #disposed = false;

  constructor(options: RegistrationOptions) {
    this.#options = options;
    this.#watch = onSessionRenewed(options.metadata, () => this.again());
  }

  [Symbol.dispose](): void {
    this.#disposed = true;
    this.#watch[Symbol.dispose]();
    this.#timer?.cancel();
  }

  /** Registers now, and again until that succeeds. */
  again(): void {
    if (this.#disposed) return;
    this.#timer?.cancel();
    this.#options.register().catch((error: unknown) => {
      // a session that is over again is renewed again, which comes back here
      if (this.#disposed || (error instanceof MetadataError && error.code === "SessionExpired")) return;
      this.#options.onError(error);
      this.#timer = this.#options.clock.setTimer(RETRY_MS, () => this.again());
    });
  }
}
