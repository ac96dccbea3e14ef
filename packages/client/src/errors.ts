import { ProtocolError, SERVER_ERRORS, type ServerError, serverErrorName } from "@pulsewire/protocol";
import { NetworkError } from "@pulsewire/runtime";

/** The names of Pulsar's server errors. */
export type ServerErrorName = keyof typeof ServerError;

/** What the client itself may find wrong. */
export type ClientErrorCode =
  | "Aborted"
  | "AdminRequestFailed"
  | "AlreadyClosed"
  | "ConnectFailed"
  | "ConnectTimeout"
  | "ConnectionClosed"
  | "CryptoError"
  | "CumulativeAcknowledgementNotAllowed"
  | "InvalidConfiguration"
  | "InvalidMessage"
  | "InvalidServiceUrl"
  | "MemoryBufferIsFull"
  | "MessageTooBig"
  | "ProducerQueueIsFull"
  | "ProtocolViolation"
  | "SchemaDecoding"
  | "SchemaEncoding"
  | "SchemaUnavailable"
  | "Timeout"
  | "TlsFailed"
  | "TooManyLookupRedirects"
  | "TransactionHasFailedOperation"
  | "Unsupported";

/** Every code a PulsarError may carry: the client's own, and the broker's by their names. */
export type PulsarErrorCode = ClientErrorCode | ServerErrorName;

export interface PulsarErrorOptions extends ErrorOptions {
  retryable?: boolean;
  serverError?: ServerErrorName;
}

/** Whatever goes wrong with a client, a producer or a consumer. The message starts with the code. */
export class PulsarError extends Error {
  readonly code: PulsarErrorCode;
  /** The broker's error, where it was the broker that refused. */
  readonly serverError: ServerErrorName | undefined;
  /** Whether the same call may succeed later. */
  readonly retryable: boolean;

  constructor(code: PulsarErrorCode, detail: string, options: PulsarErrorOptions = {}) {
    super(`${code}: ${detail}`, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = new.target.name;
    this.code = code;
    this.serverError = options.serverError;
    this.retryable = options.retryable ?? false;
  }
}

/** An option or an argument that cannot be right. */
export class InvalidConfigurationError extends PulsarError {
  constructor(detail: string, options?: ErrorOptions) {
    super("InvalidConfiguration", detail, options);
  }
}

/** A connection that could not be had, or ended. */
export class ConnectionError extends PulsarError {}

/** Something that took longer than it may. */
export class TimeoutError extends PulsarError {
  constructor(detail: string, options?: ErrorOptions) {
    super("Timeout", detail, { ...options, retryable: true });
  }
}

/**
 * A value that does not fit its schema (`SchemaEncoding`), bytes that are none of it (`SchemaDecoding`), or a schema that
 * the registry does not give (`SchemaUnavailable`).
 */
export class SchemaError extends PulsarError {}

/** A client, producer, consumer or reader that was closed before or meanwhile. */
export class AlreadyClosedError extends PulsarError {
  constructor(detail: string) {
    super("AlreadyClosed", detail);
  }
}

/** A request the broker refused. `code` and `serverError` are its error's name. */
export class ServerResponseError extends PulsarError {
  readonly #error: number;
  readonly #detail: string;

  constructor(error: number, detail: string) {
    const info = SERVER_ERRORS.get(error);
    const code = info?.name ?? "UnknownError";
    // a number this version does not know keeps its number in the text
    const text = info === undefined ? `${serverErrorName(error)}: ${detail}` : detail;
    super(code, text, { serverError: code, retryable: info?.retryable ?? false });
    this.#error = error;
    this.#detail = detail;
  }

  /** @internal The same, saying what was refused: the broker's own words often leave out which topic. */
  about(what: string): ServerResponseError {
    return new ServerResponseError(this.#error, `${what}: ${this.#detail}`);
  }
}

/** The error itself where it is a PulsarError already, or one around it. */
export function toPulsarError(error: unknown): PulsarError {
  if (error instanceof PulsarError) return error;
  if (error instanceof NetworkError) return fromNetworkError(error);
  if (error instanceof ProtocolError) return fromProtocolError(error);
  const detail = error instanceof Error ? error.message : String(error);
  return new PulsarError("UnknownError", detail, { cause: error });
}

function fromNetworkError(error: NetworkError): PulsarError {
  const detail = error.message.replace(`${error.code}: `, "");
  if (error.code === "ConnectTimeout" || error.code === "ConnectFailed") {
    return new ConnectionError(error.code, detail, { cause: error, retryable: true });
  }
  if (error.code === "TlsFailed" || error.code === "Aborted" || error.code === "Unsupported") {
    return new ConnectionError(error.code, detail, { cause: error });
  }
  return new ConnectionError("ConnectFailed", detail, { cause: error });
}

function fromProtocolError(error: ProtocolError): PulsarError {
  // one code is enough
  const detail = error.message.replace(`${error.code}: `, "");
  if (error.code === "InvalidName") return new PulsarError("InvalidTopicName", detail, { cause: error });
  if (error.code === "InvalidMessageId") return new InvalidConfigurationError(detail, { cause: error });
  return new PulsarError("ProtocolViolation", detail, { cause: error });
}
