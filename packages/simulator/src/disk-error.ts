export type DiskErrorCode =
  /** The disk failed, or was made to. */
  | "InputOutput"
  /** The disk is full. */
  | "NoSpace"
  | "NotFound"
  /** The file was closed, or the node it was opened at crashed. */
  | "Closed";

export class DiskError extends Error {
  readonly code: DiskErrorCode;

  constructor(code: DiskErrorCode, detail: string, options?: ErrorOptions) {
    super(`${code}: ${detail}`, options);
    this.name = "DiskError";
    this.code = code;
  }
}
