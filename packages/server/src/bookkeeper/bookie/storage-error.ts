export type StorageErrorCode =
  /** Another process, or another cluster of this one, has the folder. */
  | "InUse"
  /** The folder holds something else: of another format, another bookie, another cluster. */
  | "Foreign"
  /** The file system does not give it: no permission, no folder, a database that is damaged. */
  | "Unreadable"
  /** What was written cannot be read back. */
  | "Corrupt"
  /** The disk failed; the storage takes no more until it is opened again. */
  | "Failed"
  /** The storage was closed. */
  | "Closed";

/** Why a folder cannot be opened, or a storage takes no more. */
export class StorageError extends Error {
  readonly code: StorageErrorCode;

  constructor(code: StorageErrorCode, detail: string, options?: ErrorOptions) {
    super(`${code}: ${detail}`, options);
    this.name = "StorageError";
    this.code = code;
  }
}

/** A part of a file that could not be read back at the start. Nothing of it is ever served. */
export interface Damage {
  readonly file: string;
  readonly fromOffset: number;
  /** Up to here, exclusive; what follows was kept. */
  readonly toOffset: number;
  /** The ledger the part belongs to, where that can be told. */
  readonly ledgerId: number | undefined;
  /** What was kept, in words. */
  readonly detail: string;
  /** It is about the file as such: it is not there, or nothing of it is of use. Nothing is said of its bytes then. */
  readonly whole?: true;
}

export function damageError(damage: Damage): StorageError {
  const { file, fromOffset, toOffset, detail, whole } = damage;
  const what = whole === true ? detail : `bytes ${fromOffset} to ${toOffset} are damaged; ${detail}`;
  return new StorageError("Corrupt", `${file}: ${what}`);
}
