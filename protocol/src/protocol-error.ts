/** What was wrong with bytes that came over the wire. */
export type ProtocolErrorCode =
  | "FrameTooLarge"
  | "InvalidFrame"
  | "InvalidMessage"
  | "InvalidVarint"
  | "Truncated"
  | "UnknownCommand"
  | "ChecksumMismatch"
  | "InvalidName"
  | "InvalidMessageId";

/** Bytes or text that do not follow the protocol. The message starts with the code. */
export class ProtocolError extends Error {
  readonly code: ProtocolErrorCode;

  constructor(code: ProtocolErrorCode, detail: string, options?: ErrorOptions) {
    super(`${code}: ${detail}`, options);
    this.name = "ProtocolError";
    this.code = code;
  }

  /** The error itself, or a ProtocolError around what a decoder threw on broken input. */
  static from(error: unknown): ProtocolError {
    if (error instanceof ProtocolError) return error;
    return new ProtocolError("InvalidMessage", error instanceof Error ? error.message : String(error), {
      cause: error,
    });
  }
}
