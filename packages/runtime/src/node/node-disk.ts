import { constants, writev } from "node:fs";
import { type FileHandle, mkdir, open, readdir, rename, rm, statfs } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Disk, DiskFile } from "../disk.ts";

/** Where the system has no such flag a sync follows each write. */
const DURABLE: number | undefined = constants.O_DSYNC;
const ZEROS = new Uint8Array(64 * 1024);

class NodeFile implements DiskFile {
  readonly #path: string;
  readonly #handle: FileHandle;
  #sizeBytes: number;
  /** Every write through it is durable when it is done: one turn of the thread pool instead of two. */
  #durable: Promise<FileHandle> | undefined;
  /** Under way, by the number of a file that is open: closing waits, since the number is the next file's then. */
  readonly #writes = new Set<Promise<void>>();
  #closed = false;

  constructor(path: string, handle: FileHandle, sizeBytes: number) {
    this.#path = path;
    this.#handle = handle;
    this.#sizeBytes = sizeBytes;
  }

  get sizeBytes(): number {
    return this.#sizeBytes;
  }

  append(bytes: Uint8Array, roomBytes = 0): Promise<void> {
    return this.#write(this.#handle, bytes, roomBytes);
  }

  async appendDurably(bytes: Uint8Array, roomBytes = 0): Promise<void> {
    if (DURABLE === undefined) {
      await this.append(bytes, roomBytes);
      return this.sync();
    }
    this.#durable ??= open(this.#path, constants.O_WRONLY | DURABLE);
    return this.#write(await this.#durable, bytes, roomBytes);
  }

  async read(offset: number, length: number): Promise<Uint8Array> {
    try {
      const { buffer, bytesRead } = await this.#handle.read(new Uint8Array(length), 0, length, offset);
      return buffer.subarray(0, bytesRead);
    } catch (error) {
      // the system says what is wrong, and not with which file
      throw Object.assign(error as Error, { message: `${(error as Error).message} ${this.#path}` });
    }
  }

  async sync(): Promise<void> {
    await this.#handle.datasync();
  }

  async truncate(sizeBytes: number): Promise<void> {
    await this.#handle.truncate(sizeBytes);
    this.#sizeBytes = Math.min(this.#sizeBytes, sizeBytes);
  }

  async close(): Promise<void> {
    this.#closed = true;
    await Promise.allSettled(this.#writes);
    // where it could not be opened, whoever asked for it was told
    const durable = await this.#durable?.catch(() => undefined);
    await durable?.close();
    await this.#handle.close();
  }

  #write({ fd }: FileHandle, bytes: Uint8Array, roomBytes: number): Promise<void> {
    if (this.#closed) return Promise.reject(new Error(`${this.#path}: the file is closed`));
    const write = this.#writeTo(fd, bytes, roomBytes);
    this.#writes.add(write);
    const done = (): void => void this.#writes.delete(write);
    write.then(done, done);
    return write;
  }

  /** By callbacks, which take less than the handle's promises. Room is what a full disk leaves out. */
  #writeTo(fd: number, bytes: Uint8Array, roomBytes: number): Promise<void> {
    return new Promise((resolve, reject) => {
      const next = (rest: Uint8Array, room: number): void => {
        const parts = room === 0 ? [rest] : [rest, ...zeros(room)];
        writev(fd, parts, this.#sizeBytes, (error, written) => {
          if (error !== null && room > 0) return next(rest, 0);
          if (error !== null) return reject(error);
          this.#sizeBytes += Math.min(written, rest.length);
          if (written >= rest.length) resolve();
          else next(rest.subarray(written), 0);
        });
      };
      next(bytes, roomBytes);
    });
  }
}

function zeros(length: number): Uint8Array[] {
  const count = Math.ceil(length / ZEROS.length);
  return Array.from({ length: count }, (_, i) => ZEROS.subarray(0, Math.min(ZEROS.length, length - i * ZEROS.length)));
}

/** A folder of the file system. @param root Made when absent. */
export function createNodeDisk(root: string): Disk {
  const at = (path: string): string => join(root, path);
  return {
    async open(path: string): Promise<DiskFile> {
      await mkdir(dirname(at(path)), { recursive: true });
      // read and write without truncation; made when absent
      const handle = await open(at(path), "a+").then(async (made) => {
        await made.close();
        return open(at(path), "r+");
      });
      const { size } = await handle.stat();
      return new NodeFile(at(path), handle, size);
    },
    rename: (from: string, to: string) => rename(at(from), at(to)),
    remove: (path: string) => rm(at(path), { force: true }),
    async list(path: string): Promise<string[]> {
      try {
        return (await readdir(at(path))).sort();
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === "ENOENT") return [];
        throw error;
      }
    },
    async syncFolder(path: string): Promise<void> {
      const handle = await open(at(path), "r");
      try {
        await handle.sync();
      } finally {
        await handle.close();
      }
    },
    async usage() {
      const { blocks, bavail, bsize } = await statfs(root);
      return { totalBytes: blocks * bsize, usedBytes: (blocks - bavail) * bsize };
    },
  };
}
