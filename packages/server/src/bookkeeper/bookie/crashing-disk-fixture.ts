import type { Disk, DiskFile } from "@pulsewire/runtime";

/** When a process ends: before or after an operation of its disk, counted from 0. */
export interface CrashPoint {
  readonly operation: number;
  readonly when: "before" | "after";
}

/**
 * A disk as one process has it that is to crash at a given operation: from then on nothing it asks for happens, and
 * nothing is answered.
 */
export class CrashingDisk implements Disk {
  readonly crashed: Promise<void>;
  operations = 0;
  readonly #inner: Disk;
  readonly #point: CrashPoint | undefined;
  readonly #onCrash: () => void;
  #alive = true;
  #told!: () => void;

  constructor(inner: Disk, point: CrashPoint | undefined, onCrash: () => void) {
    this.#inner = inner;
    this.#point = point;
    this.#onCrash = onCrash;
    this.crashed = new Promise((resolve) => {
      this.#told = resolve;
    });
  }

  /** The process ends now. */
  crash(): void {
    if (!this.#alive) return;
    this.#alive = false;
    this.#onCrash();
    this.#told();
  }

  async open(path: string): Promise<DiskFile> {
    const file = await this.#operate(() => this.#inner.open(path));
    return {
      get sizeBytes() {
        return file.sizeBytes;
      },
      append: (bytes, roomBytes) => this.#operate(() => file.append(bytes, roomBytes)),
      appendDurably: async (bytes, roomBytes) => {
        // a process may end between the two
        await this.#operate(() => file.append(bytes, roomBytes));
        await this.#operate(() => file.sync());
      },
      read: (offset, length) => this.#operate(() => file.read(offset, length)),
      sync: () => this.#operate(() => file.sync()),
      truncate: (sizeBytes) => this.#operate(() => file.truncate(sizeBytes)),
      close: () => this.#operate(() => file.close()),
    };
  }

  rename(from: string, to: string): Promise<void> {
    return this.#operate(() => this.#inner.rename(from, to));
  }

  remove(path: string): Promise<void> {
    return this.#operate(() => this.#inner.remove(path));
  }

  list(path: string): Promise<string[]> {
    return this.#operate(() => this.#inner.list(path));
  }

  syncFolder(path: string): Promise<void> {
    return this.#operate(() => this.#inner.syncFolder(path));
  }

  usage(): Promise<{ usedBytes: number; totalBytes: number }> {
    return this.#operate(() => this.#inner.usage());
  }

  async #operate<T>(operation: () => Promise<T>): Promise<T> {
    const here = this.#point?.operation === this.operations++;
    if (here && this.#point?.when === "before") this.crash();
    if (!this.#alive) return never();
    try {
      const result = await operation();
      if (here) this.crash();
      return this.#alive ? result : await never();
    } catch (error) {
      if (this.#alive) throw error;
      return never();
    }
  }
}

function never<T>(): Promise<T> {
  return new Promise(() => undefined);
}
