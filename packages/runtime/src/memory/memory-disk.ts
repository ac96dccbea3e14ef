import type { Disk, DiskFile } from "../disk.ts";

class Content {
  bytes: Uint8Array = new Uint8Array(1024);
  length = 0;

  write(at: number, more: Uint8Array, roomBytes: number): void {
    const length = at + more.length + roomBytes;
    if (length > this.bytes.length) {
      const bigger = new Uint8Array(Math.max(this.bytes.length * 2, length));
      bigger.set(this.bytes.subarray(0, this.length));
      this.bytes = bigger;
    }
    this.bytes.set(more, at);
    if (roomBytes > 0) this.bytes.fill(0, at + more.length, length);
    this.length = Math.max(this.length, length);
  }
}

class MemoryFile implements DiskFile {
  readonly #content: Content;
  #sizeBytes: number;

  constructor(content: Content) {
    this.#content = content;
    this.#sizeBytes = content.length;
  }

  get sizeBytes(): number {
    return this.#sizeBytes;
  }

  async append(bytes: Uint8Array, roomBytes = 0): Promise<void> {
    this.#content.write(this.#sizeBytes, bytes, roomBytes);
    this.#sizeBytes += bytes.length;
  }

  async appendDurably(bytes: Uint8Array, roomBytes = 0): Promise<void> {
    await this.append(bytes, roomBytes);
    await this.sync();
  }

  async read(offset: number, length: number): Promise<Uint8Array> {
    return this.#content.bytes.slice(offset, Math.min(offset + length, this.#content.length));
  }

  async sync(): Promise<void> {
    await undefined;
  }

  async truncate(sizeBytes: number): Promise<void> {
    this.#content.length = Math.min(this.#content.length, sizeBytes);
    this.#sizeBytes = Math.min(this.#sizeBytes, sizeBytes);
  }

  async close(): Promise<void> {
    await undefined;
  }
}

class MemoryDisk implements Disk {
  readonly #files = new Map<string, Content>();
  readonly #totalBytes: number;

  constructor(totalBytes: number) {
    this.#totalBytes = totalBytes;
  }

  async open(path: string): Promise<DiskFile> {
    let content = this.#files.get(path);
    if (content === undefined) {
      content = new Content();
      this.#files.set(path, content);
    }
    return new MemoryFile(content);
  }

  async rename(from: string, to: string): Promise<void> {
    const content = this.#files.get(from);
    if (content === undefined) throw new Error(`no file ${from}`);
    this.#files.delete(from);
    this.#files.set(to, content);
  }

  async remove(path: string): Promise<void> {
    this.#files.delete(path);
  }

  async list(path: string): Promise<string[]> {
    const prefix = path === "" ? "" : `${path}/`;
    const names = new Set<string>();
    for (const name of this.#files.keys()) {
      if (name.startsWith(prefix)) names.add(name.slice(prefix.length).split("/", 1)[0] as string);
    }
    return [...names].sort();
  }

  async syncFolder(): Promise<void> {
    await undefined;
  }

  async usage(): Promise<{ usedBytes: number; totalBytes: number }> {
    let usedBytes = 0;
    for (const content of this.#files.values()) usedBytes += content.length;
    return { usedBytes, totalBytes: this.#totalBytes };
  }
}

/** A disk in memory. @param totalBytes What `usage` answers as the size. Default 1 GiB. */
export function createMemoryDisk(totalBytes: number = 1024 ** 3): Disk {
  return new MemoryDisk(totalBytes);
}
