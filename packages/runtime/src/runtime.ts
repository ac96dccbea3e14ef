import type { Clock } from "./clock.ts";
import type { Codec } from "./codec.ts";
import type { Disk } from "./disk.ts";
import type { Messenger, NodeId } from "./messenger.ts";
import type { Network } from "./network.ts";
import type { Random } from "./random.ts";

/** What a client needs of the platform. */
export interface ClientRuntime {
  readonly clock: Clock;
  readonly random: Random;
  readonly network: Network;
  readonly codec: Codec;
  /** Reads a text file, as keys and tokens are kept in. Absent where there are no files, as in a page. */
  readTextFile?(path: string): Promise<string>;
}

/** What a cluster needs of the platform. `disk` is there only with a data directory. */
export interface ServerRuntime extends ClientRuntime {
  readonly messenger: Messenger;
  readonly disk?: Disk;
  /**
   * The ports as one node of the cluster has them, where nodes differ: a clock that may stand still, a host of its own.
   * Default: all nodes share these.
   */
  forNode?(node: NodeId): ServerRuntime;
}
