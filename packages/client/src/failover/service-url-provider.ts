import type { ClientRuntime } from "@pulsewire/runtime";
import type { Authentication } from "../auth/authentication.ts";
import type { Logger } from "../logger.ts";

/** A cluster to talk to. */
export interface ServiceChoice {
  readonly serviceUrl: string;
  /** Who the client is there. Default: as the client's options say. */
  readonly authentication?: Authentication | undefined;
}

/** What a provider can do with the client it belongs to. */
export interface ServiceUrlControl {
  readonly runtime: ClientRuntime;
  readonly logger: Logger;
  /** Whether a broker answers at a service URL: connects, shakes hands and lets go. Never rejects. */
  probe(choice: ServiceChoice): Promise<boolean>;
  /**
   * Has the client talk to another cluster: its connections end, and its producers and consumers attach there. Throws a
   * PulsarError for a URL that is none.
   */
  switchTo(choice: ServiceChoice): void;
}

/** Tells a client which cluster to talk to, and when to talk to another. It belongs to one client. */
export interface ServiceUrlProvider {
  /** Where to begin. */
  readonly initial: ServiceChoice;
  /** Called once, when the client is made; must not connect at once. */
  start(control: ServiceUrlControl): void;
  /** Called when the client is closed: nothing may run afterwards. */
  close(): void;
}
