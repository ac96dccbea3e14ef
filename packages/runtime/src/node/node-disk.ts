import { type FileHandle, mkdir, open, readdir, rename, rm, statfs } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Disk, DiskFile } from "../disk.ts";

class NodeFile implements DiskFile {
  readonly #handle: FileHandle;
  #sizeBytes: number;

  constructor(handle: FileHandle, sizeBytes: number) {
    this.#handle = handle;
    this.#sizeBytes = sizeBytes;
  }

  get sizeBytes(): number {
    return this.#sizeBytes;
  }

  async append(bytes: Uint8Array): Promise<void> {
    let offset = 0;
    while (offset < bytes.length) {
      const { bytesWritten } = await this.#handle.write(bytes, offset, bytes.length - offset, this.#sizeBytes);
      offset += bytesWritten;
      this.#sizeBytes += bytesWritten;
    }
  }

  async read(offset: number, length: number): Promise<Uint8Array> {
    const { buffer, bytesRead } = await this.#handle.read(new Uint8Array(length), 0, length, offset);
    return buffer.subarray(0, bytesRead);
  }

  async sync(): Promise<void> {
    await this.#handle.datasync();
  }

  async truncate(sizeBytes: number): Promise<void> {
    await this.#handle.truncate(sizeBytes);
    this.#sizeBytes = Math.min(this.#sizeBytes, sizeBytes);
  }

  async close(): Promise<void> {
    await this.#handle.close();
  }
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
      return new NodeFile(handle, size);
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
