import type { Clock, Messenger, NodeId } from "@pulsewire/runtime";
import { MetadataError, type MetadataStore } from "../../metadata/metadata-store.ts";
import { Registration } from "../../metadata/registration.ts";
import { AVAILABLE_BOOKIES_KEY, READONLY_BOOKIES_KEY } from "../wire/bookie-registration.ts";
import type { LedgerEntry } from "../wire/ledger-entry.ts";
import { ledgerKey } from "../wire/ledger-key.ts";
import type {
  AddRequest,
  BookieRequest,
  BookieResponse,
  DeleteLedgerRequest,
  DoubtRequest,
  ReadLacRequest,
  ReadRequest,
} from "../wire/messages.ts";
import type { ResultCode } from "../wire/result-code.ts";
import { isOpenLedger } from "../wire/stored-ledger.ts";
import { GarbageCollector } from "./garbage-collector.ts";
import type { AddListener, LedgerStorage } from "./ledger-storage.ts";
import { MemoryLedgerStorage } from "./memory-ledger-storage.ts";

export interface BookieOptions {
  /** The bookie's name, with the messenger and in metadata, as `host:port`. */
  id: NodeId;
  messenger: Messenger;
  /** A session of the bookie's own; its registration lives as long. */
  metadata: MetadataStore;
  /** Default: one in memory. The bookie closes it. */
  storage?: LedgerStorage;
  /** For registering again where sessions are renewed, and for garbage. Default: it registers once and keeps all. */
  clock?: Clock;
  /** `gcWaitTime`: between two looks for ledgers that metadata no longer knows, in ms; 0 for none. Default 900,000. */
  gcWaitTimeMs?: number;
  /** Told of registrations that failed and will be tried again. Default: nobody is. */
  onError?: (error: unknown) => void;
}

/** Counts since the start. */
export interface BookieStats {
  addedEntries: number;
  addedBytes: number;
  readEntries: number;
  readBytes: number;
  refusedEntries: number;
}

/** Answers one batch of adds when it is durable. */
class PendingAnswer implements AddListener {
  readonly #bookie: Bookie;
  readonly #to: NodeId;
  readonly #requestId: number;

  constructor(bookie: Bookie, to: NodeId, requestId: number) {
    this.#bookie = bookie;
    this.#to = to;
    this.#requestId = requestId;
  }

  onStored(codes: ResultCode | readonly ResultCode[]): void {
    this.#bookie.answer(this.#to, { type: "added", requestId: this.#requestId, codes });
  }
}

/**
 * A storage node: takes entries, answers when they are durable, gives them back, and refuses the writer of a ledger
 * that was fenced. States: running (writable or read-only) -> stopped (final).
 */
export class Bookie implements AsyncDisposable {
  readonly id: NodeId;
  readonly storage: LedgerStorage;
  readonly stats: BookieStats = { addedEntries: 0, addedBytes: 0, readEntries: 0, readBytes: 0, refusedEntries: 0 };
  readonly #messenger: Messenger;
  readonly #metadata: MetadataStore;
  #attachment: Disposable | undefined;
  readonly #options: BookieOptions;
  #registration: Registration | undefined;
  /** The last turn to register again. */
  #registering: Promise<void> = Promise.resolve();
  #garbage: GarbageCollector | undefined;
  #readOnly = false;

  constructor(options: BookieOptions) {
    this.#options = options;
    this.id = options.id;
    this.storage = options.storage ?? new MemoryLedgerStorage();
    this.#messenger = options.messenger;
    this.#metadata = options.metadata;
  }

  get readOnly(): boolean {
    return this.#readOnly;
  }

  /** Takes requests from now on and registers. Rejects with a MetadataError. */
  async start(): Promise<void> {
    if (this.#attachment !== undefined) return;
    this.#attachment = this.#messenger.attach(this.id, (from, message) => this.#receive(from, message));
    const { clock, gcWaitTimeMs: waitMs = 900_000, onError = () => undefined } = this.#options;
    if (clock !== undefined) {
      const { storage } = this;
      this.#garbage = new GarbageCollector({ clock, metadata: this.#metadata, storage, waitMs, onError });
      // nobody ends the doubt of ledgers that were deleted
      if ([...storage.doubtfulIds()].length > 0) this.#garbage.collectSoon();
      const register = (): Promise<void> => this.#registerAgain();
      this.#registration = new Registration({ metadata: this.#metadata, clock, register, onError });
    }
    await this.#register();
  }

  /** Registers as read-only or writable, and refuses or takes adds accordingly; recovery adds are always taken. */
  async setReadOnly(readOnly: boolean): Promise<void> {
    if (this.#readOnly === readOnly) return;
    this.#readOnly = readOnly;
    // one that is gone is registered as it was, until its session is over
    if (this.#attachment === undefined) return;
    try {
      await this.#registerAgain();
    } catch (error) {
      if (this.#registration === undefined) throw error;
      this.#registration.again();
    }
  }

  /** Leaves the cluster in order, and lets go of its storage: after `kill` too. */
  async stop(): Promise<void> {
    const running = this.#attachment !== undefined;
    this.#detach();
    if (running) {
      await this.#unregister(this.#registrationKey()).catch((error: unknown) => {
        // the registration goes with the session
        if (!(error instanceof MetadataError)) throw error;
      });
    }
    await this.storage.close();
  }

  /**
   * Is gone at once, as after a crash: no answer any more; the registration stays until its session expires. What it
   * stored is left as it is, for the next process of the bookie; where there is none, `stop` lets go of it.
   */
  kill(): void {
    this.#detach();
  }

  /** Forgets ledgers that metadata no longer knows, now; answers how many. Rejects with a MetadataError. */
  async collectGarbage(): Promise<number> {
    return (await this.#garbage?.collect()) ?? 0;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.stop();
  }

  answer(to: NodeId, response: BookieResponse): void {
    if (this.#attachment !== undefined) this.#messenger.send(this.id, to, response);
  }

  #detach(): void {
    this.#registration?.[Symbol.dispose]();
    this.#garbage?.[Symbol.dispose]();
    this.#attachment?.[Symbol.dispose]();
    this.#attachment = undefined;
  }

  #registrationKey(readOnly = this.#readOnly): string {
    return `${readOnly ? READONLY_BOOKIES_KEY : AVAILABLE_BOOKIES_KEY}/${this.id}`;
  }

  /**
   * As what it is when its turn comes, and as nothing else. One after the other: with two at once, as read-only again after
   * a failure and as writable meanwhile, each removed what the other had put, and the bookie was registered as nothing.
   */
  #registerAgain(): Promise<void> {
    const turn = this.#registering.then(async () => {
      const other = this.#registrationKey(!this.#readOnly);
      await this.#register();
      await this.#unregister(other);
    });
    this.#registering = turn.catch(() => undefined);
    return turn;
  }

  async #register(): Promise<void> {
    if (this.#attachment === undefined) return;
    await this.#metadata.put(this.#registrationKey(), new Uint8Array(), { ephemeral: true });
  }

  /** Rejects with a MetadataError where the key may still be there. */
  async #unregister(key: string): Promise<void> {
    try {
      await this.#metadata.delete(key);
    } catch (error) {
      // what is not there, or went with its session, needs no removal
      const gone = error instanceof MetadataError && (error.code === "NotFound" || error.code === "SessionExpired");
      if (!gone) throw error;
    }
  }

  #receive(from: NodeId, message: unknown): void {
    const request = message as BookieRequest;
    // an answer that came to the wrong node, or one of a later version, finds nobody who waits for it here
    if (request.type === "add") this.#add(from, request);
    else if (request.type === "read") this.#run(from, request, this.#read(request));
    else if (request.type === "read-lac") this.#run(from, request, this.#readLac(request));
    else if (request.type === "delete-ledger") this.#run(from, request, this.#deleteLedger(request));
    else if (request.type === "doubt") this.#run(from, request, this.#doubt(request));
  }

  #add(from: NodeId, request: AddRequest): void {
    if (this.#readOnly && !request.recovery) {
      this.stats.refusedEntries += request.entries.length;
      this.answer(from, { type: "added", requestId: request.requestId, codes: "ReadOnly" });
      return;
    }
    this.stats.addedEntries += request.entries.length;
    for (const entry of request.entries) this.stats.addedBytes += entry.payload.length;
    if (request.entries.some(({ ledgerId }) => this.storage.mayBeForgotten(ledgerId))) {
      this.#run(from, request, this.#addOnceKnown(from, request));
    } else this.#store(from, request);
  }

  #store(from: NodeId, { entries, recovery, requestId }: AddRequest): void {
    this.storage.add(entries, recovery, new PendingAnswer(this, from, requestId));
  }

  /**
   * Metadata says of ledgers of which nothing is known here whether they were deleted, and whether they were recovered:
   * the fence went with everything else where others took this bookie's place since.
   */
  async #addOnceKnown(from: NodeId, request: AddRequest): Promise<undefined> {
    const ids = new Set(request.entries.map(({ ledgerId }) => ledgerId));
    for (const ledgerId of ids) {
      if (!this.storage.mayBeForgotten(ledgerId)) continue;
      const ledger = await this.#metadata.get(ledgerKey(ledgerId));
      if (ledger === undefined) await this.storage.delete(ledgerId);
      // one that is open was fenced by nobody, or by somebody who says so there first
      else if (!isOpenLedger(ledger.value)) await this.storage.fence(ledgerId);
    }
    // whoever took its place since has what it stored
    if (this.#attachment !== undefined) this.#store(from, request);
  }

  /** @param work Answers undefined where somebody else answers the request. */
  #run(from: NodeId, request: BookieRequest, work: Promise<BookieResponse | undefined>): void {
    work.then(
      (response) => {
        if (response !== undefined) this.answer(from, response);
      },
      () => this.answer(from, failureOf(request)),
    );
  }

  async #read(request: ReadRequest): Promise<BookieResponse> {
    const { requestId, ledgerId } = request;
    if (request.fence) await this.storage.fence(ledgerId);
    const entries: (LedgerEntry | undefined)[] = [];
    for (const entryId of request.entryIds) {
      const found = this.storage.read(ledgerId, entryId);
      const entry = found instanceof Promise ? await found : found;
      if (entry === "StorageFailed") return { type: "entries", requestId, code: entry, entries: [] };
      entries.push(typeof entry === "string" ? undefined : entry);
      if (typeof entry !== "string") this.stats.readBytes += entry.payload.length;
    }
    this.stats.readEntries += entries.length;
    return { type: "entries", requestId, code: "Ok", entries };
  }

  async #readLac(request: ReadLacRequest): Promise<BookieResponse> {
    const { requestId, ledgerId, fence: fenced } = request;
    if (fenced) await this.storage.fence(ledgerId);
    const lac = await this.storage.lastAddConfirmed(ledgerId);
    if (typeof lac === "number") return { type: "lac", requestId, code: "Ok", fenced, lac };
    return { type: "lac", requestId, code: lac, fenced, lac: -1 };
  }

  async #deleteLedger(request: DeleteLedgerRequest): Promise<BookieResponse> {
    await this.storage.delete(request.ledgerId);
    return { type: "deleted", requestId: request.requestId, code: "Ok" };
  }

  /** A doubt is named by the process and by what was lost until now, so that none ends one that came after it. */
  async #doubt({ requestId, ledgerId, over, fence }: DoubtRequest): Promise<BookieResponse> {
    const { storage } = this;
    const name = `${this.#metadata.sessionId}.${storage.losses}`;
    if (over === name) await storage.endDoubt(ledgerId, fence);
    return { type: "doubt", requestId, code: "Ok", doubt: storage.isDoubtful(ledgerId) ? name : undefined };
  }
}

function failureOf(request: BookieRequest): BookieResponse {
  const { requestId } = request;
  const code = "StorageFailed";
  switch (request.type) {
    case "add":
      return { type: "added", requestId, codes: code };
    case "read":
      return { type: "entries", requestId, code, entries: [] };
    case "read-lac":
      return { type: "lac", requestId, code, fenced: false, lac: -1 };
    case "delete-ledger":
      return { type: "deleted", requestId, code };
    case "doubt":
      return { type: "doubt", requestId, code, doubt: undefined };
  }
}

/** Makes a bookie and starts it. */
export async function startBookie(options: BookieOptions): Promise<Bookie> {
  const bookie = new Bookie(options);
  await bookie.start();
  return bookie;
}
