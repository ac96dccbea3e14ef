export type { Clock, Timer, TimerOptions } from "./clock.ts";
export type { Codec, CompressionName } from "./codec.ts";
export { lz4Compress, lz4Decompress } from "./compression/lz4-block.ts";
export type { Disk, DiskFile } from "./disk.ts";
export type { DataKey, Encryption } from "./encryption.ts";
export { Backoff, type BackoffOptions } from "./kit/backoff.ts";
export { type Deferred, deferred } from "./kit/deferred.ts";
export { Ring } from "./kit/ring.ts";
export { ManualClock, type ManualClockOptions } from "./memory/manual-clock.ts";
export { MemoryChannel } from "./memory/memory-channel.ts";
export { createMemoryDisk } from "./memory/memory-disk.ts";
export { createMemoryMessenger } from "./memory/memory-messenger.ts";
export { createMemoryNetwork, type MemoryNetwork } from "./memory/memory-network.ts";
export { createSeededRandom } from "./memory/seeded-random.ts";
export type { Messenger, NodeId } from "./messenger.ts";
export {
  type Address,
  type Channel,
  type ChannelSink,
  type ClientTlsOptions,
  type ConnectOptions,
  type FetchOptions,
  type HttpHandlers,
  type Listener,
  type ListenOptions,
  type Network,
  NetworkError,
  type NetworkErrorCode,
  type ServerTlsOptions,
  type Transport,
  type WebSocketAcceptor,
} from "./network.ts";
export type { Random } from "./random.ts";
export type { ClientRuntime, ServerRuntime } from "./runtime.ts";
