declare const ServerError: {
    readonly UnknownError: 0;
    readonly MetadataError: 1;
    readonly PersistenceError: 2;
    readonly AuthenticationError: 3;
    readonly AuthorizationError: 4;
    readonly ConsumerBusy: 5;
    readonly ServiceNotReady: 6;
    readonly ProducerBlockedQuotaExceededError: 7;
    readonly ProducerBlockedQuotaExceededException: 8;
    readonly ChecksumError: 9;
    readonly UnsupportedVersionError: 10;
    readonly TopicNotFound: 11;
    readonly SubscriptionNotFound: 12;
    readonly ConsumerNotFound: 13;
    readonly TooManyRequests: 14;
    readonly TopicTerminatedError: 15;
    readonly ProducerBusy: 16;
    readonly InvalidTopicName: 17;
    readonly IncompatibleSchema: 18;
    readonly ConsumerAssignError: 19;
    readonly TransactionCoordinatorNotFound: 20;
    readonly InvalidTxnStatus: 21;
    readonly NotAllowedError: 22;
    readonly TransactionConflict: 23;
    readonly TransactionNotFound: 24;
    readonly ProducerFenced: 25;
};
type ServerError = (typeof ServerError)[keyof typeof ServerError];
type ServerErrorName = keyof typeof ServerError;
type ClientErrorCode = "Aborted" | "AdminRequestFailed" | "AlreadyClosed" | "ConnectFailed" | "ConnectTimeout" | "ConnectionClosed" | "CryptoError" | "CumulativeAcknowledgementNotAllowed" | "InvalidConfiguration" | "InvalidMessage" | "InvalidServiceUrl" | "MemoryBufferIsFull" | "MessageTooBig" | "ProducerQueueIsFull" | "ProtocolViolation" | "SchemaDecoding" | "SchemaEncoding" | "SchemaUnavailable" | "Timeout" | "TlsFailed" | "TooManyLookupRedirects" | "TransactionHasFailedOperation" | "Unsupported";
type PulsarErrorCode = ClientErrorCode | ServerErrorName;
interface PulsarErrorOptions extends ErrorOptions {
    retryable?: boolean;
    serverError?: ServerErrorName;
}
declare class PulsarError extends Error {
    readonly code: PulsarErrorCode;
    readonly serverError: ServerErrorName | undefined;
    readonly retryable: boolean;
    constructor(code: PulsarErrorCode, detail: string, options?: PulsarErrorOptions);
}
declare class InvalidConfigurationError extends PulsarError {
    constructor(detail: string, options?: ErrorOptions);
}
declare class ConnectionError extends PulsarError {
}
declare class TimeoutError extends PulsarError {
    constructor(detail: string, options?: ErrorOptions);
}
declare class SchemaError extends PulsarError {
}
declare class AlreadyClosedError extends PulsarError {
    constructor(detail: string);
}
declare class ServerResponseError extends PulsarError {
    #private;
    constructor(error: number, detail: string);
}
export { AlreadyClosedError as A, InvalidConfigurationError as I, PulsarError as P, SchemaError as S, TimeoutError as T, ConnectionError as a, ServerResponseError as d };
export type { ClientErrorCode as C, PulsarErrorCode as b, ServerErrorName as c };
