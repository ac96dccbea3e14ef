export type { Clock, Timer, TimerOptions } from "./clock.ts";
export type { Codec, CompressionName } from "./codec.ts";
export type { Disk, DiskFile } from "./disk.ts";
export { Backoff, type BackoffOptions } from "./kit/backoff.ts";
export { type Deferred, deferred } from "./kit/deferred.ts";
export { Ring } from "./kit/ring.ts";
export type { Messenger, NodeId } from "./messenger.ts";
export {
  type Address,
  type Channel,
  type ChannelSink,
  type ClientTlsOptions,
  type ConnectOptions,
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
