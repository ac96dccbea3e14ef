import type { Disk, DiskFile, Random } from "@pulsewire/runtime";
import { between, happens } from "./chance.ts";
import { DiskError } from "./disk-error.ts";
import { type DiskFaults, NO_DISK_FAULTS } from "./faults.ts";
import type { SimulatedNode } from "./simulated-node.ts";
import { StoredFile } from "./stored-file.ts";
import type { World } from "./world.ts";

/** What `usage` answers as the size of a disk without a limit. */
const UNLIMITED_BYTES = 1024 ** 4;

/** What crashes took from a disk since the start. */
export interface DiskLosses {
  /** Files that lost bytes which were not synced. */
  files: number;
  /** Those of them that kept the first few of these bytes. */
  torn: number;
  /** Creations, removals and renamings that did not reach the disk. */
  names: number;
}

/** The disk of one simulated node. It outlives the node's crashes, less what those take. */
export class SimulatedDisk implements Disk {
  /** May be changed at any time. */
  readonly faults: DiskFaults;
  readonly losses: Readonly<DiskLosses>;
  readonly #losses: DiskLosses = { files: 0, torn: 0, names: 0 };
  readonly #world: World;
  readonly #node: SimulatedNode;
  readonly #random: Random;
  #files = new Map<string, StoredFile>();
  /** The names as they are after a crash that takes whatever was not synced. */
  #durableFiles = new Map<string, StoredFile>();

  constructor(world: World, node: SimulatedNode, faults: Partial<DiskFaults> = {}) {
    this.#world = world;
    this.#node = node;
    this.#random = world.random.fork(`disk/${node.name}`);
    this.faults = Object.seal({ ...NO_DISK_FAULTS, ...faults });
    this.losses = this.#losses;
  }

  async open(path: string): Promise<DiskFile> {
    await this.operate("open", path);
    let stored = this.#files.get(path);
    if (stored === undefined) {
      stored = new StoredFile();
      this.#files.set(path, stored);
    }
    return new SimulatedFile(this, path, stored, this.#node);
  }

  async rename(from: string, to: string): Promise<void> {
    await this.operate("rename", from, this.faults.writeErrorProbability);
    const stored = this.#files.get(from);
    if (stored === undefined) throw new DiskError("NotFound", `no file ${from}`);
    this.#files.delete(from);
    this.#files.set(to, stored);
  }

  async remove(path: string): Promise<void> {
    await this.operate("remove", path, this.faults.writeErrorProbability);
    this.#files.delete(path);
  }

  async list(path: string): Promise<string[]> {
    await this.operate("list", path);
    const prefix = path === "" ? "" : `${path}/`;
    const names = new Set<string>();
    for (const name of this.#files.keys()) {
      if (name.startsWith(prefix)) names.add(name.slice(prefix.length).split("/", 1)[0] as string);
    }
    return [...names].sort();
  }

  async syncFolder(path: string): Promise<void> {
    await this.operate("syncFolder", path, this.faults.syncErrorProbability, true);
    for (const name of new Set([...this.#files.keys(), ...this.#durableFiles.keys()])) {
      if (folderOf(name) !== path) continue;
      const stored = this.#files.get(name);
      if (stored === undefined) this.#durableFiles.delete(name);
      else this.#durableFiles.set(name, stored);
    }
  }

  async usage(): Promise<{ usedBytes: number; totalBytes: number }> {
    const { sizeBytesMax } = this.faults;
    return { usedBytes: this.#usedBytes, totalBytes: sizeBytesMax > 0 ? sizeBytesMax : UNLIMITED_BYTES };
  }

  /** The files as they are now and their sizes, in bytes, by path: for whoever looks at the disk from outside. */
  get files(): Map<string, number> {
    return new Map([...this.#files].map(([path, stored]) => [path, stored.length]));
  }

  /** Flips one bit of a file, for good; the first, where none is given. */
  corrupt(path: string, bit = 0): void {
    const stored = this.#files.get(path);
    if (stored === undefined) throw new DiskError("NotFound", `no file ${path}`);
    this.#world.trace.note(this.#node.name, `disk: bit ${bit} of ${path} flipped`);
    stored.flipBit(bit);
  }

  /** Another disk in its place, with nothing on it. Whoever has a file of it open must be gone. */
  wipe(): void {
    this.#world.trace.note(this.#node.name, "disk: wiped");
    this.#files = new Map();
    this.#durableFiles = new Map();
  }

  /** What a crash of the node leaves: each file, and each name, loses what was not synced or does not. */
  crashed(): void {
    const { unsyncedLossProbability, tornWriteProbability } = this.faults;
    for (const path of [...new Set([...this.#files.keys(), ...this.#durableFiles.keys()])].sort()) {
      if (this.#files.get(path) === this.#durableFiles.get(path)) continue;
      if (happens(this.#random, unsyncedLossProbability)) this.#loseName(path);
    }
    for (const [path, stored] of this.#files) {
      if (!happens(this.#random, unsyncedLossProbability)) continue;
      const torn = happens(this.#random, tornWriteProbability);
      const survivingBytes = torn ? this.#random.integer(stored.unsyncedBytes + 1) : 0;
      this.#world.trace.note(this.#node.name, `disk: ${path} lost what was not synced but ${survivingBytes} bytes`);
      if (stored.unsyncedBytes > survivingBytes) this.#losses.files++;
      if (survivingBytes > 0 && stored.unsyncedBytes > survivingBytes) this.#losses.torn++;
      stored.loseUnsynced(survivingBytes);
    }
    this.#durableFiles = new Map(this.#files);
  }

  /** Takes the time of an operation, and fails as the faults say. */
  async operate(what: string, path: string, errorProbability = 0, sync = false): Promise<void> {
    const { latencyMsMin, latencyMsMax, syncMsMin, syncMsMax } = this.faults;
    const delayMs =
      between(this.#random, latencyMsMin, latencyMsMax) + (sync ? between(this.#random, syncMsMin, syncMsMax) : 0);
    const fails = happens(this.#random, errorProbability);
    if (delayMs > 0) {
      await new Promise<void>((resolve) => this.#world.timeline.after(delayMs, resolve, this.#node));
    }
    if (!fails) return;
    this.#world.trace.note(this.#node.name, `disk: ${what} of ${path} failed`);
    throw new DiskError("InputOutput", `${what} of ${path} failed`);
  }

  /** Throws NoSpace where so many bytes do not fit. */
  checkSpace(bytes: number, path: string): void {
    if (this.hasSpace(bytes)) return;
    const { sizeBytesMax } = this.faults;
    throw new DiskError(
      "NoSpace",
      `${path}: ${bytes} bytes do not fit, ${this.#usedBytes} of ${sizeBytesMax} are used`,
    );
  }

  hasSpace(bytes: number): boolean {
    const { sizeBytesMax } = this.faults;
    return sizeBytesMax === 0 || this.#usedBytes + bytes <= sizeBytesMax;
  }

  rot(stored: StoredFile, offset: number, length: number): void {
    if (length > 0 && happens(this.#random, this.faults.bitRotProbability)) {
      stored.flipBit(8 * offset + this.#random.integer(8 * length));
    }
  }

  get #usedBytes(): number {
    let bytes = 0;
    for (const stored of this.#files.values()) bytes += stored.length;
    return bytes;
  }

  /** A creation, a removal or a renaming did not reach the disk. */
  #loseName(path: string): void {
    const durable = this.#durableFiles.get(path);
    this.#losses.names++;
    this.#world.trace.note(this.#node.name, `disk: ${path} is ${durable === undefined ? "gone" : "back"}`);
    if (durable === undefined) this.#files.delete(path);
    else this.#files.set(path, durable);
  }
}

class SimulatedFile implements DiskFile {
  readonly #disk: SimulatedDisk;
  readonly #path: string;
  readonly #stored: StoredFile;
  readonly #node: SimulatedNode;
  readonly #incarnation: number;
  /** Operations happen one after the other, in the order of the calls. */
  #last: Promise<unknown> = Promise.resolve();
  #closed = false;
  #sizeBytes: number;

  constructor(disk: SimulatedDisk, path: string, stored: StoredFile, node: SimulatedNode) {
    this.#disk = disk;
    this.#path = path;
    this.#stored = stored;
    this.#node = node;
    this.#incarnation = node.incarnation;
    this.#sizeBytes = stored.length;
  }

  get sizeBytes(): number {
    return this.#sizeBytes;
  }

  append(bytes: Uint8Array, roomBytes = 0): Promise<void> {
    return this.#inTurn(async () => {
      await this.#disk.operate("append", this.#path, this.#disk.faults.writeErrorProbability);
      this.#check();
      const end = this.#sizeBytes + bytes.length;
      this.#disk.checkSpace(Math.max(0, end - this.#stored.length), this.#path);
      const room = this.#disk.hasSpace(end + roomBytes - this.#stored.length) ? roomBytes : 0;
      this.#stored.write(this.#sizeBytes, bytes, room);
      this.#sizeBytes = end;
    });
  }

  async appendDurably(bytes: Uint8Array, roomBytes = 0): Promise<void> {
    await this.append(bytes, roomBytes);
    await this.sync();
  }

  read(offset: number, length: number): Promise<Uint8Array> {
    return this.#inTurn(async () => {
      await this.#disk.operate("read", this.#path, this.#disk.faults.readErrorProbability);
      this.#check();
      this.#disk.rot(this.#stored, offset, Math.min(length, this.#stored.length - offset));
      return this.#stored.read(offset, length);
    });
  }

  sync(): Promise<void> {
    return this.#inTurn(async () => {
      await this.#disk.operate("sync", this.#path, this.#disk.faults.syncErrorProbability, true);
      this.#check();
      this.#stored.sync();
    });
  }

  truncate(sizeBytes: number): Promise<void> {
    return this.#inTurn(async () => {
      await this.#disk.operate("truncate", this.#path, this.#disk.faults.writeErrorProbability);
      this.#check();
      this.#stored.truncate(sizeBytes);
      this.#sizeBytes = Math.min(this.#sizeBytes, sizeBytes);
    });
  }

  close(): Promise<void> {
    return this.#inTurn(async () => {
      this.#closed = true;
    });
  }

  #inTurn<T>(operation: () => Promise<T>): Promise<T> {
    const turn = this.#last.then(() => {
      this.#check();
      return operation();
    });
    // a failure is its own operation's, and the next one goes on
    this.#last = turn.catch(() => undefined);
    return turn;
  }

  #check(): void {
    if (this.#closed || this.#node.incarnation !== this.#incarnation) {
      throw new DiskError("Closed", `${this.#path} was closed, or its node crashed`);
    }
  }
}

function folderOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf("/")));
}
