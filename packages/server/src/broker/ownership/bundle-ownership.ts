import { MetadataError, type MetadataStore } from "../../metadata/metadata-store.ts";
import { paths } from "../resources/names.ts";
import type { BrokerUrls } from "./broker-registry.ts";
import type { Bundle } from "./bundle.ts";

/** Who owns a bundle. */
export interface BundleOwner extends BrokerUrls {
  /** The owner is letting it go: look up again in a moment. */
  readonly disabled: boolean;
}

interface StoredOwner {
  nativeUrl: string;
  nativeUrlTls: string | null;
  httpUrl: string;
  httpUrlTls: string | null;
  disabled: boolean;
  brokerId: string;
}

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/**
 * Which bundles this broker owns. An ownership is an ephemeral key `/namespace/<bundle>`, created only where there is
 * none, so a bundle has one owner, and none once its broker's session is over.
 */
export class BundleOwnership {
  readonly #store: MetadataStore;
  readonly #urls: BrokerUrls;
  readonly #owned = new Map<string, Bundle>();
  readonly #acquiring = new Map<string, Promise<BundleOwner>>();
  #closed = false;

  constructor(store: MetadataStore, urls: BrokerUrls) {
    this.#store = store;
    this.#urls = urls;
  }

  get owned(): ReadonlyMap<string, Bundle> {
    return this.#owned;
  }

  owns(bundle: Bundle): boolean {
    return this.#owned.has(bundle.name);
  }

  async ownerOf(bundle: Bundle): Promise<BundleOwner | undefined> {
    if (this.owns(bundle)) return { ...this.#urls, disabled: false };
    const found = await this.#store.get(paths.bundle(bundle.name));
    return found === undefined ? undefined : decodeOwner(found.value);
  }

  /** Takes a bundle that nobody owns; answers the owner, which is another broker when that was faster. */
  acquire(bundle: Bundle): Promise<BundleOwner> {
    const underWay = this.#acquiring.get(bundle.name);
    if (underWay !== undefined) return underWay;
    const acquiring = this.#acquire(bundle).finally(() => this.#acquiring.delete(bundle.name));
    this.#acquiring.set(bundle.name, acquiring);
    return acquiring;
  }

  async #acquire(bundle: Bundle): Promise<BundleOwner> {
    const owner = await this.ownerOf(bundle);
    if (owner !== undefined) return owner;
    if (this.#closed) throw new MetadataError("Unavailable", `this broker is closing and takes no bundle`);
    try {
      const value = encodeOwner({ ...this.#urls, disabled: false });
      await this.#store.put(paths.bundle(bundle.name), value, { expectedVersion: -1, ephemeral: true });
    } catch (error) {
      if (!(error instanceof MetadataError) || error.code !== "BadVersion") throw error;
      const winner = await this.ownerOf(bundle);
      if (winner === undefined) throw error;
      return winner;
    }
    this.#owned.set(bundle.name, bundle);
    return { ...this.#urls, disabled: false };
  }

  /** Marks a bundle as going, so that nobody connects for it any more, before its topics are closed. */
  async disable(bundle: Bundle): Promise<void> {
    if (!this.#owned.delete(bundle.name)) return;
    await this.#store.put(paths.bundle(bundle.name), encodeOwner({ ...this.#urls, disabled: true }), {
      ephemeral: true,
    });
  }

  /** Lets a bundle go, after its topics were closed. */
  async release(bundle: Bundle): Promise<void> {
    this.#owned.delete(bundle.name);
    const key = paths.bundle(bundle.name);
    const found = await this.#store.get(key);
    if (found !== undefined && decodeOwner(found.value).brokerId === this.#urls.brokerId) await this.#store.delete(key);
  }

  /** The session is over: nothing is owned any more. */
  forgetAll(): void {
    this.#owned.clear();
  }

  /** No further bundle is taken. */
  close(): void {
    this.#closed = true;
  }
}

function encodeOwner(owner: BundleOwner): Uint8Array {
  const stored: StoredOwner = {
    nativeUrl: owner.serviceUrl,
    nativeUrlTls: owner.serviceUrlTls ?? null,
    httpUrl: owner.webServiceUrl,
    httpUrlTls: owner.webServiceUrlTls ?? null,
    disabled: owner.disabled,
    brokerId: owner.brokerId,
  };
  return encoder.encode(JSON.stringify(stored));
}

function decodeOwner(value: Uint8Array): BundleOwner {
  const stored = JSON.parse(decoder.decode(value)) as StoredOwner;
  return {
    brokerId: stored.brokerId,
    serviceUrl: stored.nativeUrl,
    serviceUrlTls: stored.nativeUrlTls ?? undefined,
    webServiceUrl: stored.httpUrl,
    webServiceUrlTls: stored.httpUrlTls ?? undefined,
    disabled: stored.disabled,
  };
}
