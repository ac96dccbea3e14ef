import { ProtocolError, ServerError } from "@pulsewire/protocol";
import { BrokerError } from "../broker/broker-error.ts";
import { ResourceError } from "../broker/resources/resource-error.ts";
import { ManagedLedgerError } from "../managed-ledger/index.ts";

/** An answer other than success: an HTTP status and Pulsar's `{"reason"}` body. */
export class AdminError extends Error {
  readonly status: number;

  constructor(status: number, reason: string, options?: ErrorOptions) {
    super(reason, options);
    this.name = "AdminError";
    this.status = status;
  }
}

const RESOURCE_STATUS = { NotFound: 404, AlreadyExists: 409, Conflict: 409, Invalid: 412, Unavailable: 503 } as const;

const BROKER_STATUS: Readonly<Record<number, number>> = {
  [ServerError.TopicNotFound]: 404,
  [ServerError.SubscriptionNotFound]: 404,
  [ServerError.ConsumerBusy]: 412,
  [ServerError.ProducerBusy]: 412,
  [ServerError.NotAllowedError]: 409,
  [ServerError.InvalidTopicName]: 412,
  [ServerError.IncompatibleSchema]: 409,
  [ServerError.TopicTerminatedError]: 405,
  [ServerError.ServiceNotReady]: 503,
  [ServerError.MetadataError]: 503,
};

/** The answer to anything that was thrown. */
export function adminErrorOf(error: unknown): AdminError {
  if (error instanceof AdminError) return error;
  if (error instanceof ResourceError) {
    return new AdminError(RESOURCE_STATUS[error.code], error.message, { cause: error });
  }
  if (error instanceof BrokerError) {
    return new AdminError(BROKER_STATUS[error.code] ?? 500, error.message, { cause: error });
  }
  if (error instanceof ManagedLedgerError) {
    const status = error.code === "CursorNotFound" ? 404 : 500;
    return new AdminError(status, error.message, { cause: error });
  }
  if (error instanceof ProtocolError) return new AdminError(412, error.message, { cause: error });
  return new AdminError(500, error instanceof Error ? error.message : String(error), { cause: error });
}
