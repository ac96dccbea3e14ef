/** A file open for appending and for reading at any offset. */
export interface DiskFile {
  /** Up to the end of what was appended. When it is opened, room that was left after that counts too. */
  readonly sizeBytes: number;
  /**
   * Appends; the bytes are durable only after `sync`.
   * @param roomBytes So many zeros after them, which the next appends take the place of: a file that has its room is
   * synced faster than one that grows. As much as the disk has. Default: none.
   */
  append(bytes: Uint8Array, roomBytes?: number): Promise<void>;
  /** Appends, and answers when the bytes are durable; what was appended otherwise before is so only after `sync`. */
  appendDurably(bytes: Uint8Array, roomBytes?: number): Promise<void>;
  /** Reads up to `length` bytes at `offset`; fewer at the end of the file. */
  read(offset: number, length: number): Promise<Uint8Array>;
  sync(): Promise<void>;
  truncate(sizeBytes: number): Promise<void>;
  close(): Promise<void>;
}

/** A folder tree. Paths are relative and use `/`. */
export interface Disk {
  /** Opens a file, made when absent, with its folders. */
  open(path: string): Promise<DiskFile>;
  rename(from: string, to: string): Promise<void>;
  remove(path: string): Promise<void>;
  /** Names directly below a folder, sorted; none when it is absent. */
  list(path: string): Promise<string[]>;
  /** Makes renames, creations and removals in a folder durable. */
  syncFolder(path: string): Promise<void>;
  usage(): Promise<{ usedBytes: number; totalBytes: number }>;
}
