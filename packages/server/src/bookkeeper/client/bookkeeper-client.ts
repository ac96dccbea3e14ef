import type { Clock, Messenger, NodeId, Random } from "@pulsewire/runtime";
import type { MetadataStore } from "../../metadata/metadata-store.ts";
import { BookiePool } from "./bookie-pool.ts";
import { BookieRacks } from "./bookie-racks.ts";
import { type BookKeeperClientSettings, parseBookKeeperClientSettings } from "./client-settings.ts";
import { checkQuorumSizes, type LedgerMetadata, type QuorumSizes } from "./ledger-metadata.ts";
import { LedgerMetadataStore, type VersionedLedgerMetadata } from "./ledger-metadata-store.ts";
import { LedgerReader } from "./ledger-reader.ts";
import { LedgerRecovery } from "./ledger-recovery.ts";
import { LedgerWriter } from "./ledger-writer.ts";
import { type PlacementPolicy, RandomPlacement } from "./placement.ts";
import { RackPlacement } from "./rack-placement.ts";

export interface BookKeeperClientOptions {
  clock: Clock;
  random: Random;
  messenger: Messenger;
  /** The session of the node this client is part of. */
  metadata: MetadataStore;
  /** The client's name with the messenger, its own alone. */
  nodeId: NodeId;
  /** How long a bookie has to answer, in ms. Default: as the settings say. */
  requestTimeoutMs?: number;
  /** How long a bookie that did not answer is avoided, in ms. Default: as the settings say. */
  quarantineMs?: number;
  /** Default: every one its own. */
  settings?: Partial<BookKeeperClientSettings>;
  /** Default: as the settings say. */
  placement?: PlacementPolicy;
}

export interface CreateLedgerOptions extends QuorumSizes {
  /** Kept with the ledger's metadata. */
  properties?: Readonly<Record<string, string>>;
}

/** Makes, opens, recovers and deletes ledgers. Rejects with a BookKeeperError. */
export class BookKeeperClient {
  readonly #clock: Clock;
  readonly #pool: BookiePool;
  readonly #store: LedgerMetadataStore;
  #racks: BookieRacks | undefined;

  constructor(options: BookKeeperClientOptions) {
    const { clock, messenger, metadata, nodeId } = options;
    const settings = parseBookKeeperClientSettings({ ...options.settings });
    this.#clock = clock;
    this.#store = new LedgerMetadataStore(metadata);
    const quarantineMs = settings.bookkeeperClientHealthCheckQuarantineTimeInSeconds * 1000;
    this.#pool = new BookiePool({
      clock,
      messenger,
      metadata,
      self: nodeId,
      requestTimeoutMs: options.requestTimeoutMs ?? settings.bookkeeperClientTimeoutInSeconds * 1000,
      quarantineMs: options.quarantineMs ?? (settings.bookkeeperClientHealthCheckEnabled ? quarantineMs : 0),
      speculativeReadTimeoutMs: settings.bookkeeperClientSpeculativeReadTimeoutInMillis,
      speculativeWriteTimeoutMs: settings.bookkeeperClientSpeculativeWriteTimeoutInMillis,
      addQuorumTimeoutMs: settings.addEntryQuorumTimeoutSec < 0 ? -1 : settings.addEntryQuorumTimeoutSec * 1000,
      placement: options.placement ?? this.#placementOf(options, settings),
    });
  }

  /** InvalidQuorum, NotEnoughBookies, MetadataUnavailable. */
  async createLedger(options: CreateLedgerOptions): Promise<LedgerWriter> {
    checkQuorumSizes(options);
    const { ensembleSize, writeQuorum, ackQuorum, properties = {} } = options;
    const bookies = await this.#pool.newEnsemble(ensembleSize, writeQuorum);
    const metadata: LedgerMetadata = {
      ensembleSize,
      writeQuorum,
      ackQuorum,
      state: "OPEN",
      createdMs: this.#clock.now(),
      lastEntryId: undefined,
      lengthBytes: 0,
      fragments: [{ firstEntryId: 0, bookies }],
      properties,
    };
    const ledger = await this.#store.create(await this.#store.nextLedgerId(), metadata);
    return new LedgerWriter({ pool: this.#pool, store: this.#store, ledger });
  }

  /** Opens a ledger for reading; one that nobody closed is recovered first, which fences its writer. */
  async openLedger(ledgerId: number): Promise<LedgerReader> {
    return this.#readerOf(await this.recoverLedger(ledgerId));
  }

  /** The bookies as this client knows them: for auto-recovery. */
  get pool(): BookiePool {
    return this.#pool;
  }

  /** Ledgers' metadata: for auto-recovery. */
  get ledgers(): LedgerMetadataStore {
    return this.#store;
  }

  /** Closes a ledger that nobody closed, where it ends, which fences its writer. Answers its metadata. */
  async recoverLedger(ledgerId: number): Promise<VersionedLedgerMetadata> {
    return new LedgerRecovery(this.#pool, this.#store).recover(ledgerId);
  }

  /**
   * From here on nothing that its writer still sends is acknowledged. Where the ledger ends is left open. Answers its
   * metadata. NoSuchLedger, RecoveryFailed while too few bookies answer, MetadataUnavailable.
   */
  async fenceLedger(ledgerId: number): Promise<VersionedLedgerMetadata> {
    return new LedgerRecovery(this.#pool, this.#store).fence(ledgerId);
  }

  /** Reads what a writer of this client has got acknowledged so far. */
  readerOf(writer: LedgerWriter): LedgerReader {
    return new LedgerReader(writer, this.#pool);
  }

  /** NoSuchLedger when there is none. */
  async readMetadata(ledgerId: number): Promise<VersionedLedgerMetadata> {
    return this.#store.read(ledgerId);
  }

  async listLedgers(): Promise<number[]> {
    return this.#store.list();
  }

  /** Deletes a ledger from metadata, and from the bookies that can be reached. NoSuchLedger when there is none. */
  async deleteLedger(ledgerId: number): Promise<void> {
    const { metadata } = await this.#store.read(ledgerId);
    await this.#store.delete(ledgerId);
    this.#deleteEntries(ledgerId, metadata);
  }

  /** Deletes a ledger as it was read. False when somebody changed it since. NoSuchLedger when there is none any more. */
  async deleteUnchanged({ ledgerId, metadata, version }: VersionedLedgerMetadata): Promise<boolean> {
    if (!(await this.#store.delete(ledgerId, version))) return false;
    this.#deleteEntries(ledgerId, metadata);
    return true;
  }

  #deleteEntries(ledgerId: number, metadata: LedgerMetadata): void {
    const bookies = new Set(metadata.fragments.flatMap((fragment) => fragment.bookies));
    for (const bookie of bookies) {
      // without metadata the ledger is gone whether or not the bookie hears of it now
      void this.#pool.link(bookie).call((requestId) => ({ type: "delete-ledger", requestId, ledgerId }));
    }
  }

  close(): void {
    this.#racks?.[Symbol.dispose]();
    this.#pool.close();
  }

  #placementOf({ metadata, random }: BookKeeperClientOptions, settings: BookKeeperClientSettings): PlacementPolicy {
    const regionAware = settings.bookkeeperClientRegionawarePolicyEnabled;
    if (!regionAware && !settings.bookkeeperClientRackawarePolicyEnabled) return new RandomPlacement(random);
    this.#racks = new BookieRacks(metadata);
    return new RackPlacement({
      random,
      racks: this.#racks,
      regionAware,
      minRacks: settings.bookkeeperClientMinNumRacksPerWriteQuorum,
      enforced: settings.bookkeeperClientEnforceMinNumRacksPerWriteQuorum,
    });
  }

  #readerOf({ ledgerId, metadata }: VersionedLedgerMetadata): LedgerReader {
    const now = async (): Promise<LedgerMetadata> => (await this.#store.read(ledgerId)).metadata;
    return new LedgerReader({ ledgerId, metadata, lastConfirmed: metadata.lastEntryId ?? -1 }, this.#pool, now);
  }
}

export function createBookKeeperClient(options: BookKeeperClientOptions): BookKeeperClient {
  return new BookKeeperClient(options);
}
