import type { NodeId } from "@pulsewire/runtime";
import { EntryDigest, type LedgerEntry } from "../../bookkeeper/wire/ledger-entry.ts";
import { checkNames } from "../check-names.ts";
import type { BookieNode } from "../storage-nodes.ts";
import type { FaultyCluster } from "./cluster-faults.ts";
import { checkFlag, checkNothing, checkWhole } from "./fault-arguments.ts";
import { type FaultLinks, undoing } from "./fault-links.ts";
import { checkDelay } from "./metadata-faults.ts";
import type { NodeGate } from "./node-gate.ts";

export interface BookieFaultsOptions {
  id: NodeId;
  cluster: FaultyCluster;
  gateOf: (node: NodeId) => NodeGate;
  links: FaultLinks;
}

/** Makes one bookie fail: `cluster.faults.bookie(0)`. */
export class BookieFaults {
  readonly #options: BookieFaultsOptions;
  readonly #digest = new EntryDigest();

  constructor(options: BookieFaultsOptions) {
    this.#options = options;
  }

  /** Its name among the nodes. */
  get node(): NodeId {
    return this.#options.id;
  }

  /** Its process ends at once: nobody gets an answer any more. It stays registered until its session expires (30 s). */
  kill(...nothing: readonly []): void {
    checkNothing("kill", nothing);
    const gate = this.#gate;
    if (gate.dead) return;
    gate.kill();
    const node = this.#node;
    node.bookie.kill();
    node.monitor?.[Symbol.dispose]();
    this.#replace({ ...node, monitor: undefined, recovery: undefined, metadata: node.metadata });
  }

  /** Kills it where it runs, and starts it again with what it had stored; `wipe` (default false): with nothing. */
  async restart(options: { wipe?: boolean } = {}): Promise<void> {
    checkNames("restart", options, ["wipe"]);
    const { wipe = false } = options;
    checkFlag("wipe", wipe);
    const { cluster } = this.#options;
    this.kill();
    const before = this.#node;
    cluster.metadata.expire(before.metadata);
    this.#replace(await cluster.startBookie(before, wipe));
  }

  /** It stands still until that is undone: what it is sent waits. */
  pause(...nothing: readonly []): Disposable {
    checkNothing("pause", nothing);
    const gate = this.#gate;
    gate.pause();
    return undoing(() => gate.resume());
  }

  /** Everything to it and from it takes so much longer, in ms each way, until it is undone. */
  slow(delayMs: number): Disposable {
    checkDelay(delayMs);
    return this.#options.links.slow(this.node, delayMs);
  }

  /** Its disk is full until that is undone, or it is restarted: it is read-only, and takes entries of recoveries alone. */
  async fill(...nothing: readonly []): Promise<AsyncDisposable> {
    checkNothing("fill", nothing);
    const { bookie } = this.#node;
    const gate = this.#gate;
    gate.fills++;
    let filled = true;
    await Promise.race([bookie.setReadOnly(true), gate.died]);
    return {
      [Symbol.asyncDispose]: async () => {
        if (!filled) return;
        filled = false;
        gate.fills--;
        if (gate.fills === 0 && !gate.dead) await Promise.race([bookie.setReadOnly(false), gate.died]);
      },
    };
  }

  /**
   * One bit of its copy of an entry flips, for good: whoever reads it there finds a wrong checksum. Resolves with false
   * when it has no copy.
   */
  async corrupt(ledgerId: number, entryId: number): Promise<boolean> {
    checkWhole("ledgerId", ledgerId, 0);
    checkWhole("entryId", entryId, 0);
    const { storage } = this.#node.bookie;
    const entry = await storage.read(ledgerId, entryId);
    if (typeof entry === "string") return false;
    // the same bit once more would mend it
    if (!this.#digest.matches(entry)) return true;
    // the bytes are those of the producer's frame, which all bookies share; a slice of a Buffer would share them still
    const payload = new Uint8Array(entry.payload);
    // an entry without a payload has a checksum all the same
    const spoiled: LedgerEntry = payload.length === 0 ? { ...entry, crc32c: entry.crc32c ^ 1 } : { ...entry, payload };
    payload[0] = (payload[0] as number) ^ 1;
    await new Promise<void>((resolve) => storage.add([spoiled], true, { onStored: () => resolve() }));
    return true;
  }

  get #node(): BookieNode {
    const { cluster, id } = this.#options;
    const node = cluster.bookies.find((bookie) => bookie.id === id);
    if (node === undefined) throw new TypeError(`there is no bookie ${id} any more`);
    return node;
  }

  get #gate(): NodeGate {
    return this.#options.gateOf(this.#options.id);
  }

  /** Another process of the bookie takes its place in the cluster. */
  #replace(node: BookieNode): void {
    const { bookies } = this.#options.cluster;
    bookies[bookies.findIndex(({ id }) => id === node.id)] = node;
  }
}
