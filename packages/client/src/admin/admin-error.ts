import { PulsarError, type PulsarErrorCode } from "../errors.ts";

/** Statuses of a cluster that is busy, starting or moving what was asked for: the same request may succeed later. */
const RETRYABLE: ReadonlySet<number> = new Set([429, 502, 503, 504]);

function codeOf(status: number): PulsarErrorCode {
  if (status === 401) return "AuthenticationError";
  if (status === 403) return "AuthorizationError";
  return "AdminRequestFailed";
}

/** A request that the cluster refused. `status` and `reason` are its own words. */
export class AdminError extends PulsarError {
  /** The HTTP status: 404 for what does not exist, 409 for what exists already, 412 for what cannot be. */
  readonly status: number;
  /** What the cluster said. */
  readonly reason: string;

  /** @param request Method and path, as the message shows them. */
  constructor(status: number, reason: string, request: string) {
    super(codeOf(status), `${request}: ${status} ${reason}`, { retryable: RETRYABLE.has(status) });
    this.status = status;
    this.reason = reason;
  }
}

/** What an answer says it failed for: Pulsar's `{"reason"}`, or the text itself where a proxy answered. */
export function reasonOf(body: string): string {
  try {
    const parsed: unknown = JSON.parse(body);
    if (typeof parsed === "object" && parsed !== null && "reason" in parsed) return String(parsed.reason);
  } catch {
    // no JSON: the text says it
  }
  const title = /<title>([^<]*)<\/title>/i.exec(body)?.[1];
  return (title ?? body).trim().slice(0, 500) || "no reason given";
}
