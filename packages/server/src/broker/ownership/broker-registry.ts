import type { MetadataStore } from "../../metadata/metadata-store.ts";
import { paths } from "../resources/names.ts";

/** How a broker is reached. */
export interface BrokerUrls {
  /** `host:port` of its web listener: Pulsar's name for the broker. */
  readonly brokerId: string;
  readonly serviceUrl: string;
  readonly serviceUrlTls: string | undefined;
  readonly webServiceUrl: string;
  readonly webServiceUrlTls: string | undefined;
}

interface StoredBroker {
  webServiceUrl: string;
  webServiceUrlTls?: string;
  pulsarServiceUrl: string;
  pulsarServiceUrlTls?: string;
}

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** The brokers that are alive, as ephemeral keys below `/loadbalance/brokers`. */
export class BrokerRegistry {
  readonly #store: MetadataStore;

  constructor(store: MetadataStore) {
    this.#store = store;
  }

  async register(urls: BrokerUrls): Promise<void> {
    await this.#store.put(paths.broker(urls.brokerId), encodeBroker(urls), { ephemeral: true });
  }

  async unregister(urls: BrokerUrls): Promise<void> {
    const key = paths.broker(urls.brokerId);
    if (await this.#store.exists(key)) await this.#store.delete(key);
  }

  /** Broker ids, sorted. */
  list(): Promise<string[]> {
    return this.#store.children(paths.brokers);
  }

  async get(brokerId: string): Promise<BrokerUrls | undefined> {
    const found = await this.#store.get(paths.broker(brokerId));
    return found === undefined ? undefined : decodeBroker(brokerId, found.value);
  }
}

function encodeBroker(urls: BrokerUrls): Uint8Array {
  const stored: StoredBroker = { webServiceUrl: urls.webServiceUrl, pulsarServiceUrl: urls.serviceUrl };
  if (urls.webServiceUrlTls !== undefined) stored.webServiceUrlTls = urls.webServiceUrlTls;
  if (urls.serviceUrlTls !== undefined) stored.pulsarServiceUrlTls = urls.serviceUrlTls;
  return encoder.encode(JSON.stringify(stored));
}

function decodeBroker(brokerId: string, value: Uint8Array): BrokerUrls {
  const stored = JSON.parse(decoder.decode(value)) as StoredBroker;
  return {
    brokerId,
    serviceUrl: stored.pulsarServiceUrl,
    serviceUrlTls: stored.pulsarServiceUrlTls,
    webServiceUrl: stored.webServiceUrl,
    webServiceUrlTls: stored.webServiceUrlTls,
  };
}
