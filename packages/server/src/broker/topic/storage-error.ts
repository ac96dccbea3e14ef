import { ServerError } from "@pulsewire/protocol";
import { ManagedLedgerError, type ManagedLedgerErrorCode } from "../../managed-ledger/index.ts";
import { MetadataError } from "../../metadata/metadata-store.ts";
import { BrokerError } from "../broker-error.ts";
import { ResourceError } from "../resources/resource-error.ts";

const CODES: Readonly<Partial<Record<ManagedLedgerErrorCode, ServerError>>> = {
  Fenced: ServerError.ServiceNotReady,
  Closed: ServerError.ServiceNotReady,
  Terminated: ServerError.TopicTerminatedError,
  MetadataUnavailable: ServerError.MetadataError,
  BadVersion: ServerError.MetadataError,
  CursorNotFound: ServerError.SubscriptionNotFound,
};

/** What a client is told of a failure below. */
export function toBrokerError(error: unknown): BrokerError {
  if (error instanceof ManagedLedgerError) {
    return new BrokerError(CODES[error.code] ?? ServerError.PersistenceError, error.message, { cause: error });
  }
  if (error instanceof MetadataError || (error instanceof ResourceError && error.code === "Unavailable")) {
    return new BrokerError(ServerError.MetadataError, error.message, { cause: error });
  }
  if (error instanceof ResourceError && error.code === "NotFound") {
    return new BrokerError(ServerError.TopicNotFound, error.message, { cause: error });
  }
  return BrokerError.from(error);
}
