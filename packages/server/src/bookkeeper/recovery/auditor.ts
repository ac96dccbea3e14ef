import type { Clock, NodeId, Timer } from "@pulsewire/runtime";
import { MetadataError, type MetadataStore } from "../../metadata/metadata-store.ts";
import { onSessionRenewed } from "../../metadata/renewing-metadata.ts";
import { BookKeeperError } from "../client/bookkeeper-error.ts";
import type { LedgerMetadata } from "../client/ledger-metadata.ts";
import type { LedgerMetadataStore } from "../client/ledger-metadata-store.ts";
import { AVAILABLE_BOOKIES_KEY } from "../wire/bookie-registration.ts";
import type { AutoRecoverySettings } from "./recovery-settings.ts";
import type { RecoveryStatistics } from "./recovery-statistics.ts";
import { AUDITOR_KEY, type UnderReplication } from "./under-replication.ts";

/** How long after a failure it is tried again, in ms. */
const RETRY_MS = 1_000;

export interface AuditorOptions {
  clock: Clock;
  metadata: MetadataStore;
  ledgers: LedgerMetadataStore;
  marks: UnderReplication;
  settings: AutoRecoverySettings;
  statistics: RecoveryStatistics;
  /** Bookies that are there, writable or not. Rejects with a BookKeeperError. */
  registered(): Promise<ReadonlySet<NodeId>>;
  /** The bookies that lack copies of a ledger that they should have. Rejects with a BookKeeperError. */
  lacking(ledgerId: number, metadata: LedgerMetadata): Promise<NodeId[]>;
  /** The node's own name. */
  self: NodeId;
  /** Told of failures; they are tried again. */
  onError(error: unknown): void;
}

/**
 * One of a cluster's nodes is the Auditor: it looks which bookies are gone, and notes the ledgers that lack copies for
 * that. States: candidate <-> auditor -> stopped (final).
 */
export class Auditor implements Disposable {
  readonly #options: AuditorOptions;
  readonly #watches: Disposable[];
  #state: "candidate" | "auditor" | "stopped" = "candidate";
  #electing = false;
  #timer: Timer | undefined;
  #delay: Timer | undefined;
  #tickers: Timer[] = [];
  #audits: Promise<void> = Promise.resolve();

  constructor(options: AuditorOptions) {
    this.#options = options;
    const { metadata } = options;
    this.#watches = [
      metadata.watch(AUDITOR_KEY, ({ type, key }) => {
        if (key === AUDITOR_KEY && type === "deleted") this.stand();
      }),
      metadata.watch(AVAILABLE_BOOKIES_KEY, ({ type }) => this.#bookiesChanged(type)),
      metadata.onSessionExpired(() => this.#stepDown()),
      onSessionRenewed(metadata, () => this.stand()),
    ];
  }

  get elected(): boolean {
    return this.#state === "auditor";
  }

  /** Becomes the Auditor unless another is, and when that one is gone. */
  stand(): void {
    if (this.#state !== "candidate" || this.#electing) return;
    this.#electing = true;
    this.#elect()
      .catch((error: unknown) => this.#later(error))
      .finally(() => {
        this.#electing = false;
      });
  }

  /** Looks for bookies that are gone now; done when the ledgers that lack copies are noted. Rejects with a MetadataError or a BookKeeperError. */
  audit(): Promise<void> {
    const audit = this.#audits.then(() => this.#audit());
    this.#audits = audit.catch(() => undefined);
    return audit;
  }

  /**
   * Looks whether closed ledgers have every copy they should, which reads all of them; done when those that do not are
   * noted. Rejects with a MetadataError or a BookKeeperError.
   */
  checkAllLedgers(): Promise<void> {
    const check = this.#audits.then(() => this.#checkAll());
    this.#audits = check.catch(() => undefined);
    return check;
  }

  [Symbol.dispose](): void {
    this.#state = "stopped";
    for (const timer of [this.#timer, this.#delay, ...this.#tickers]) timer?.cancel();
    for (const watch of this.#watches) watch[Symbol.dispose]();
  }

  async #elect(): Promise<void> {
    const { metadata, self, clock, settings } = this.#options;
    const before = metadata.sessionId;
    const own = `${self} ${before}`;
    try {
      await metadata.put(AUDITOR_KEY, new TextEncoder().encode(own), { expectedVersion: -1, ephemeral: true });
    } catch (error) {
      if (!(error instanceof MetadataError && error.code === "BadVersion")) throw error;
      // there is one, and its going is told; or it is this one, and only the answer was lost
      const found = await metadata.get(AUDITOR_KEY);
      if (found === undefined) return this.#elect();
      if (new TextDecoder().decode(found.value) !== own) return;
    }
    if (this.#state !== "candidate" || metadata.sessionId !== before) return;
    this.#state = "auditor";
    const every = (seconds: number, work: () => void): Timer[] =>
      seconds === 0 ? [] : [clock.setTicker(seconds * 1000, work)];
    this.#tickers = [
      ...every(settings.auditorPeriodicBookieCheckInterval, () => this.#auditSoon()),
      ...every(settings.auditorPeriodicCheckInterval, () => {
        this.checkAllLedgers().catch((error: unknown) => this.#options.onError(error));
      }),
    ];
    this.#auditSoon();
  }

  #stepDown(): void {
    if (this.#state === "auditor") this.#state = "candidate";
    this.#delay?.cancel();
    this.#delay = undefined;
    for (const ticker of this.#tickers) ticker.cancel();
  }

  #later(error: unknown): void {
    if (this.#state === "stopped") return;
    this.#options.onError(error);
    this.#timer?.cancel();
    this.#timer = this.#options.clock.setTimer(RETRY_MS, () => this.stand());
  }

  #bookiesChanged(type: string): void {
    if (this.#state !== "auditor") return;
    const { clock, settings, statistics } = this.#options;
    const delayMs = settings.lostBookieRecoveryDelay * 1000;
    if (type === "deleted" && delayMs === 0) this.#auditSoon();
    else if (type === "deleted" && this.#delay === undefined) {
      statistics.auditor_NUM_BOOKIE_AUDITS_DELAYED++;
      this.#delay = clock.setTimer(delayMs, () => {
        this.#delay = undefined;
        this.#auditSoon();
      });
    }
  }

  #auditSoon(): void {
    this.audit().catch((error: unknown) => {
      if (this.#state !== "auditor") return;
      this.#options.onError(error);
      this.#delay?.cancel();
      this.#delay = this.#options.clock.setTimer(RETRY_MS, () => {
        this.#delay = undefined;
        this.#auditSoon();
      });
    });
  }

  async #checkAll(): Promise<void> {
    const { ledgers, marks, statistics, lacking } = this.#options;
    statistics.auditor_CHECK_ALL_LEDGERS_TIME_count++;
    for (const ledgerId of await ledgers.list()) {
      if (this.#state === "stopped") return;
      statistics.auditor_NUM_LEDGERS_CHECKED++;
      const ledger = await readIfThere(ledgers, ledgerId);
      const missing = ledger === undefined ? [] : await lacking(ledgerId, ledger);
      if (missing.length === 0) continue;
      if (await marks.mark(ledgerId, missing)) statistics.auditor_NUM_UNDER_REPLICATED_LEDGERS++;
    }
  }

  async #audit(): Promise<void> {
    const { ledgers, marks, statistics, registered } = this.#options;
    if (this.#state === "stopped") return;
    statistics.auditor_AUDIT_BOOKIES_TIME_count++;
    const there = await registered();
    for (const ledgerId of await ledgers.list()) {
      statistics.auditor_NUM_LEDGERS_CHECKED++;
      const missing = (await bookiesOf(ledgers, ledgerId)).filter((bookie) => !there.has(bookie));
      if (missing.length === 0) continue;
      if (await marks.mark(ledgerId, missing)) statistics.auditor_NUM_UNDER_REPLICATED_LEDGERS++;
    }
  }
}

/** The bookies that hold some of a ledger; none when it is gone. */
export async function bookiesOf(ledgers: LedgerMetadataStore, ledgerId: number): Promise<NodeId[]> {
  const metadata = await readIfThere(ledgers, ledgerId);
  return metadata === undefined ? [] : namedIn(metadata);
}

/** The bookies that hold some of a ledger. */
export function namedIn({ fragments }: LedgerMetadata): NodeId[] {
  return [...new Set(fragments.flatMap((fragment) => fragment.bookies))];
}

/** What metadata says of a ledger; undefined when it is gone. Rejects with a BookKeeperError. */
export async function readIfThere(ledgers: LedgerMetadataStore, ledgerId: number): Promise<LedgerMetadata | undefined> {
  try {
    return (await ledgers.read(ledgerId)).metadata;
  } catch (error) {
    if (error instanceof BookKeeperError && error.code === "NoSuchLedger") return undefined;
    throw error;
  }
}

/** Which node the Auditor runs in, of what it put at its key. */
export function auditorNode(value: Uint8Array): NodeId {
  return new TextDecoder().decode(value).split(" ")[0] as NodeId;
}
