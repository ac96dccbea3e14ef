import type { ClientRuntime } from "@pulsewire/runtime";
import type { ConnectionPool } from "./connection/connection-pool.ts";
import type { Logger } from "./logger.ts";
import type { CurrentService } from "./lookup/current-service.ts";
import type { Lookup } from "./lookup/lookup.ts";
import type { Telemetry } from "./observability/telemetry.ts";
import type { MemoryLimit } from "./producing/memory-limit.ts";
import type { Waits } from "./waits.ts";

/** What a client's producers and consumers share. */
export interface ClientContext {
  readonly runtime: ClientRuntime;
  readonly logger: Logger;
  readonly pool: ConnectionPool;
  readonly lookup: Lookup;
  /** The cluster of the moment. */
  readonly service: CurrentService;
  readonly memoryLimit: MemoryLimit;
  readonly operationTimeoutMs: number;
  /** Who is told what the client does, where somebody is. */
  readonly telemetry: Telemetry | undefined;
  /** Waiting for the application's code, such as a key reader's. */
  readonly waits: Waits;
  /** An id no other producer or consumer of this client has. */
  nextId(): number;
}
