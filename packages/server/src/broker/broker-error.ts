import { ServerError } from "@pulsewire/protocol";

/** A request that cannot be served, with the code the client gets. */
export class BrokerError extends Error {
  readonly code: ServerError;
  constructor(code: ServerError, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = "BrokerError";
    this.code = code;
  }

  /** The error itself, or an UnknownError around something unexpected. */
  static from(error: unknown): BrokerError {
    if (error instanceof BrokerError) return error;
    return new BrokerError(ServerError.UnknownError, error instanceof Error ? error.message : String(error), {
      cause: error,
    });
  }
}
