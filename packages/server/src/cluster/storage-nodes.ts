import type { Clock, ServerRuntime } from "@pulsewire/runtime";
import {
  AutoRecovery,
  type Bookie,
  bookiesOf,
  LedgerMetadataStore,
  type LedgerStorage,
  type LedgersBefore,
  MemoryLedgerStorage,
  type RecoveryStatistics,
  StorageError,
  startBookie,
  UnderReplication,
} from "../bookkeeper/index.ts";
import { createLedgerLists } from "../managed-ledger/index.ts";
import type { MemoryMetadata, MetadataStatistics, MetadataStore } from "../metadata/index.ts";
import type { BookieStorage, ResolvedOptions } from "./cluster-options.ts";
import type { BookieFolder, DataFolder } from "./data-folder.ts";
import { NodeSession } from "./node-session.ts";

/** A bookie and its session. */
export interface BookieNode {
  readonly id: string;
  readonly bookie: Bookie;
  /** The session it has now. */
  readonly metadata: MetadataStore;
  /** What it uses, over as many sessions as it takes. */
  readonly session: NodeSession;
  /** Watches its disk, where it has one. */
  readonly monitor: Disposable | undefined;
  /** Its part of the data directory; undefined for memory. */
  readonly folder: BookieFolder | undefined;
  /** What it does for copies that others lost; undefined where that is switched off. */
  readonly recovery: AutoRecovery | undefined;
}

/** A bookie that was not started, since what it keeps cannot be read. */
export interface UnstartedBookie {
  readonly id: string;
  /** What is wrong with its folder. */
  readonly error: StorageError;
}

export interface StartedBookies {
  readonly nodes: BookieNode[];
  readonly unstarted: readonly UnstartedBookie[];
}

export interface BookiesOptions {
  options: ResolvedOptions;
  /** One that goes on when a node does not. */
  clock: Clock;
  runtimeOf: (nodeId: string) => ServerRuntime;
  metadata: MemoryMetadata;
  statistics: MetadataStatistics;
  recovered: RecoveryStatistics;
  /** Where bookies keep their entries. Default: in memory. */
  folder: DataFolder | undefined;
}

/**
 * Starts bookies, named as Pulsar names them (`host:port`), though they are reached inside the process. One whose folder
 * cannot be opened is not started, and told; the others serve. Rejects where that is so of all, or for another reason.
 */
export async function startBookies(bookies: BookiesOptions): Promise<StartedBookies> {
  const places = bookiePlaces(bookies);
  const starting = places.map((place) => {
    const id = bookieNodeId(place);
    return startNode(bookies, id, (lost) => firstStored(bookies, place, id, lost));
  });
  const results = await Promise.allSettled(starting);
  const nodes: BookieNode[] = [];
  const unstarted: UnstartedBookie[] = [];
  for (const [i, result] of results.entries()) {
    const id = bookieNodeId(places[i] as number);
    if (result.status === "fulfilled") nodes.push(result.value);
    else if (result.reason instanceof StorageError) unstarted.push({ id, error: result.reason });
  }
  if (nodes.length === 0 || nodes.length + unstarted.length < results.length) {
    await stopBookies(nodes);
    await Promise.all(starting);
  }
  for (const { id, error } of unstarted) bookies.options.onError?.(unstartedError(id, error));
  // not before all are there: those that only start would be taken for lost
  for (const { recovery } of nodes) recovery?.start();
  return { nodes, unstarted };
}

function unstartedError(id: string, error: StorageError): StorageError {
  const detail = error.message.slice(`${error.code}: `.length);
  const advice =
    "what it holds is copied to others where there are enough (ask for one bookie more where not); mend its folder, or move it away to begin with an empty one";
  return new StorageError(error.code, `bookie ${id} is not started: ${detail}; ${advice}`, { cause: error });
}

const FIRST_PORT = 3181;

/** The places of the bookies to start: with a data directory those that it holds are among them. */
export function bookiePlaces({ options, folder }: Pick<BookiesOptions, "options" | "folder">): readonly number[] {
  return folder?.places ?? Array.from({ length: options.bookies }, (_, place) => place);
}

/** What the bookie of a place is called among the nodes of its cluster. */
export function bookieNodeId(place: number): string {
  return `127.0.0.1:${FIRST_PORT + place}`;
}

/** Starts the next process of a bookie whose last one is gone; with the storage of that, or an empty one. */
export async function restartBookie(bookies: BookiesOptions, before: BookieNode, wipe: boolean): Promise<BookieNode> {
  const { id, folder } = before;
  const { storage } = before.bookie;
  if (bookies.options.storageFor !== undefined)
    return startAgain(bookies, id, (lost) => given(bookies, id, lost, wipe));
  if (!wipe) return startAgain(bookies, id, async () => ({ folder, storage, kept: folder, takenOver: true }));
  // nobody else lets go of what the last process stored
  await storage.close();
  return startAgain(bookies, id, async (lost) => {
    const emptied = await folder?.wipe(lost);
    return { folder: emptied, storage: emptied?.storage ?? new MemoryLedgerStorage(await lost()), kept: emptied };
  });
}

async function startAgain(...next: Parameters<typeof startNode>): Promise<BookieNode> {
  const node = await startNode(...next);
  node.recovery?.start();
  return node;
}

/** What a bookie keeps its entries in. */
interface Stored {
  folder: BookieFolder | undefined;
  storage: LedgerStorage;
  /** The same with what is known of it; undefined for memory. */
  kept: BookieStorage | undefined;
  /** Another process of the bookie opened it. */
  takenOver?: boolean;
}

async function firstStored(
  bookies: BookiesOptions,
  index: number,
  bookieId: string,
  ledgersBefore: AskForLedgers,
): Promise<Stored> {
  const { folder, clock, options } = bookies;
  if (options.storageFor !== undefined) return given(bookies, bookieId, ledgersBefore, false);
  // what is stored is the disk's: it outlives the process, and so its clock
  const own = await folder?.openBookie({ index, bookieId, clock, ledgersBefore });
  return { folder: own, storage: own?.storage ?? new MemoryLedgerStorage(), kept: own };
}

/** What `storageFor` gives to the next process of a bookie. */
async function given(
  { options, runtimeOf }: BookiesOptions,
  bookieId: string,
  ledgersBefore: AskForLedgers,
  wipe: boolean,
): Promise<Stored> {
  const { clock } = runtimeOf(bookieId);
  const kept = await options.storageFor?.(bookieId, { clock, ledgersBefore, wipe });
  return { folder: undefined, storage: kept?.storage ?? new MemoryLedgerStorage(), kept };
}

/** Asks metadata which ledgers a bookie may have had entries of. */
type AskForLedgers = () => Promise<LedgersBefore>;

async function startNode(
  bookies: BookiesOptions,
  id: string,
  open: (ledgersBefore: AskForLedgers) => Promise<Stored>,
): Promise<BookieNode> {
  const { options, runtimeOf } = bookies;
  const { clock, messenger } = runtimeOf(id);
  const session = new NodeSession({ ...bookies, nodeId: id, clock });
  const { onError = () => undefined } = options;
  let asked = false;
  const opening = open(async () => {
    asked = true;
    const ids = await ledgersOn(session.metadata, id);
    return { ids, lastId: await lastLedgerId(session.metadata) };
  });
  const { folder, storage, kept, takenOver } = await opening.catch(async (error: unknown) => {
    await session.metadata.close();
    throw error;
  });
  const gcWaitTimeMs = options.storage.bookie.gcWaitTime;
  const { metadata } = session;
  const starting = startBookie({ id, messenger, metadata, clock, gcWaitTimeMs, onError, storage });
  const bookie = await starting.catch(async (error: unknown) => {
    // nobody else lets go of what was opened for a process that does not start
    if (takenOver !== true) await storage.close();
    throw error;
  });
  const doubtful = [...storage.doubtfulIds()];
  if (doubtful.length > 0) {
    const what = asked && (kept?.damagedFiles ?? []).length === 0 ? "nothing" : "perhaps not all";
    await noteDoubts(metadata, { id, doubtful, what }, onError);
  }
  return {
    id,
    session,
    bookie,
    monitor: kept?.watch(bookie),
    folder,
    recovery: recoveryOf(bookies, id, session),
    get metadata() {
      return session.current;
    },
  };
}

async function ledgersOn(metadata: MetadataStore, bookieId: string): Promise<number[]> {
  const ledgers = new LedgerMetadataStore(metadata);
  const found: number[] = [];
  for (const ledgerId of await ledgers.list()) {
    if ((await bookiesOf(ledgers, ledgerId)).includes(bookieId)) found.push(ledgerId);
  }
  return found;
}

/** No ledger made so far has a greater id; -1 where there is none. */
async function lastLedgerId(metadata: MetadataStore): Promise<number> {
  const ledgers = new LedgerMetadataStore(metadata);
  // an id that is taken and not used is the only way to know; the first bookies of a cluster take none
  return (await ledgers.list()).length === 0 ? -1 : ledgers.nextLedgerId();
}

/** Says what a bookie began without, or may have, and has it copied to it again. */
async function noteDoubts(
  metadata: MetadataStore,
  { id, doubtful, what }: { id: string; doubtful: readonly number[]; what: string },
  onError: (error: unknown) => void,
): Promise<void> {
  const told = `bookie ${id} has ${what} of the ${doubtful.length} ledgers it held entries of`;
  onError(new StorageError("Corrupt", `${told}: what it lacks is copied to it from others, where those have it`));
  await noteLost(metadata, id, doubtful).catch(onError);
}

/** What a bookie began without is to be copied to it again. Rejects with a MetadataError. */
async function noteLost(metadata: MetadataStore, bookieId: string, lost: readonly number[]): Promise<void> {
  const marks = new UnderReplication(metadata);
  for (const ledgerId of lost) await marks.mark(ledgerId, [bookieId]);
}

function recoveryOf(
  { options, runtimeOf, recovered }: BookiesOptions,
  nodeId: string,
  session: NodeSession,
): AutoRecovery | undefined {
  const { client, recovery: settings } = options.storage;
  if (!settings.autoRecoveryDaemonEnabled) return undefined;
  const { clock, random, messenger } = runtimeOf(nodeId);
  const { onError } = options;
  return new AutoRecovery({
    clock,
    random,
    messenger,
    metadata: session.metadata,
    nodeId,
    client,
    settings,
    statistics: recovered,
    lists: createLedgerLists(session.metadata),
    onError,
  });
}

export async function stopBookies(nodes: readonly BookieNode[]): Promise<void> {
  await Promise.all(nodes.map(({ recovery }) => recovery?.[Symbol.asyncDispose]()));
  await Promise.all(
    nodes.map(async ({ bookie, session, monitor }) => {
      monitor?.[Symbol.dispose]();
      await bookie.stop();
      await session.metadata.close();
    }),
  );
}
