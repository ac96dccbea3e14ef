import type { Channel, Listener, Network, ServerTlsOptions } from "@pulsewire/runtime";

export interface BinaryListenerOptions {
  network: Network;
  host: string;
  port: number;
  tls?: ServerTlsOptions | undefined;
  onChannel(channel: Channel): void;
}

/** Listens for Pulsar's binary protocol, over TLS when it is given. Rejects with a NetworkError. */
export function listenBinary(options: BinaryListenerOptions): Promise<Listener> {
  const { network, host, port, tls, onChannel } = options;
  return network.listen(tls === undefined ? { host, port } : { host, port, tls }, onChannel);
}
