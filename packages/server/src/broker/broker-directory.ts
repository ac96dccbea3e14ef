import type { Broker } from "./broker.ts";

/** The brokers of this process, by id and by where they listen. */
export class BrokerDirectory {
  readonly #brokers = new Set<Broker>();

  get all(): readonly Broker[] {
    return [...this.#brokers];
  }

  add(broker: Broker): void {
    this.#brokers.add(broker);
  }

  remove(broker: Broker): void {
    this.#brokers.delete(broker);
  }

  /** @param address A broker's id, or its binary listener as `host:port` or as a URL. */
  find(address: string): Broker | undefined {
    const wanted = withoutScheme(address);
    for (const broker of this.#brokers) {
      const { brokerId, serviceUrl, serviceUrlTls } = broker.urls;
      if (address === brokerId || wanted === withoutScheme(serviceUrl)) return broker;
      if (serviceUrlTls !== undefined && wanted === withoutScheme(serviceUrlTls)) return broker;
    }
    return undefined;
  }
}

function withoutScheme(url: string): string {
  const at = url.indexOf("://");
  return (at < 0 ? url : url.slice(at + 3)).replace(/\/$/, "");
}
