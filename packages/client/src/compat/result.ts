import { PulsarError, type PulsarErrorCode } from "../errors.ts";

/** The official client's words for what this client calls otherwise. Everything else has the same name in both. */
const RESULTS: Partial<Record<PulsarErrorCode, string>> = {
  Aborted: "Interrupted",
  ConnectFailed: "ConnectError",
  ConnectTimeout: "ConnectError",
  ConnectionClosed: "NotConnected",
  ConsumerAssignError: "ResultConsumerAssignError",
  CumulativeAcknowledgementNotAllowed: "ResultCumulativeAcknowledgementNotAllowedError",
  InvalidServiceUrl: "InvalidUrl",
  MemoryBufferIsFull: "ResultMemoryBufferIsFull",
  MetadataError: "BrokerMetadataError",
  NotAllowedError: "ResultNotAllowedError",
  PersistenceError: "BrokerPersistenceError",
  ProducerFenced: "ResultProducerFenced",
  ServiceNotReady: "ServiceUnitNotReady",
  Timeout: "TimeOut",
  TlsFailed: "ConnectError",
  TooManyRequests: "TooManyLookupRequestException",
  TopicTerminatedError: "TopicTerminated",
  Unsupported: "OperationNotSupported",
};

/** What the official client rejects with: `Failed to send message: TimeOut`. This client's own error is its `cause`. */
export function failure(what: string, error: unknown): Error {
  const result = error instanceof PulsarError ? (RESULTS[error.code] ?? error.code) : "UnknownError";
  return new Error(`${what}: ${result}`, { cause: error });
}

/** Answers what a promise does, null where that is nothing, and rejects in the official client's words. */
export async function settled<T>(what: string, promise: Promise<T>): Promise<T> {
  try {
    return await promise;
  } catch (error) {
    throw failure(what, error);
  }
}

export async function done(what: string, promise: Promise<unknown>): Promise<null> {
  await settled(what, promise);
  return null;
}
