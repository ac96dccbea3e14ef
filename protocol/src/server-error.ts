import { ServerError } from "./messages.ts";

/** What a server error means to whoever gets it. */
export interface ServerErrorInfo {
  name: keyof typeof ServerError;
  /** Whether the same request may succeed later, on this or another connection. */
  retryable: boolean;
  meaning: string;
}

const RETRYABLE: ReadonlySet<number> = new Set([
  ServerError.MetadataError,
  ServerError.PersistenceError,
  ServerError.ServiceNotReady,
  ServerError.TooManyRequests,
  ServerError.ChecksumError,
]);

const MEANINGS: Readonly<Record<number, string>> = {
  [ServerError.UnknownError]: "The broker failed in a way it has no code for.",
  [ServerError.MetadataError]: "The metadata store did not answer.",
  [ServerError.PersistenceError]: "The ledger could not be written or opened.",
  [ServerError.AuthenticationError]: "The credentials are missing or wrong.",
  [ServerError.AuthorizationError]: "The role may not do this.",
  [ServerError.ConsumerBusy]: "The subscription has another consumer, or one of another type.",
  [ServerError.ServiceNotReady]: "The topic is moving or loading, or this broker does not own it; look it up again.",
  [ServerError.ProducerBlockedQuotaExceededError]: "The backlog quota holds producers until it shrinks.",
  [ServerError.ProducerBlockedQuotaExceededException]: "The backlog quota refuses producers.",
  [ServerError.ChecksumError]: "The entry arrived with another checksum than it carries.",
  [ServerError.UnsupportedVersionError]: "The client's protocol version lacks what it asked for.",
  [ServerError.TopicNotFound]: "There is no such topic and it may not be created.",
  [ServerError.SubscriptionNotFound]: "There is no such subscription.",
  [ServerError.ConsumerNotFound]: "There is no such consumer on this connection.",
  [ServerError.TooManyRequests]: "More lookups at once than the broker takes.",
  [ServerError.TopicTerminatedError]: "The topic was terminated; it takes no more messages.",
  [ServerError.ProducerBusy]: "A producer of this name is connected, or the topic has an exclusive one.",
  [ServerError.InvalidTopicName]: "The name is not a topic name.",
  [ServerError.IncompatibleSchema]: "The schema is not compatible with the topic's.",
  [ServerError.ConsumerAssignError]: "The consumer's hash ranges overlap another's.",
  [ServerError.TransactionCoordinatorNotFound]: "No transaction coordinator of that id is here.",
  [ServerError.InvalidTxnStatus]: "The transaction is not in a state that allows this.",
  [ServerError.NotAllowedError]: "The command is not allowed here.",
  [ServerError.TransactionConflict]: "Another transaction acknowledged the same message.",
  [ServerError.TransactionNotFound]: "There is no such transaction.",
  [ServerError.ProducerFenced]: "Another producer took exclusive access.",
};

/** The table of server errors by number. */
export const SERVER_ERRORS: ReadonlyMap<number, ServerErrorInfo> = new Map(
  Object.entries(ServerError).map(([name, code]) => [
    code,
    { name: name as keyof typeof ServerError, retryable: RETRYABLE.has(code), meaning: MEANINGS[code] ?? "" },
  ]),
);

/** The name of a server error, also of a number this version does not know. */
export function serverErrorName(code: number): string {
  return SERVER_ERRORS.get(code)?.name ?? `ServerError ${code}`;
}
