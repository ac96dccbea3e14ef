import type { Clock, Timer } from "@pulsewire/runtime";
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

/** How long after a failure the key of a bundle is put right, in ms. */
const SETTLE_AFTER_MS = 1_000;

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/**
 * Which bundles this broker owns. An ownership is an ephemeral key `/namespace/<bundle>`, created only where there is
 * none, so a bundle has one owner, and none once its broker's session is over.
 */
export class BundleOwnership {
  readonly #store: MetadataStore;
  readonly #urls: BrokerUrls;
  readonly #clock: Clock;
  readonly #owned = new Map<string, Bundle>();
  /** On their way out: disabled, or to be removed. */
  readonly #leaving = new Set<string>();
  readonly #acquiring = new Map<string, Promise<BundleOwner>>();
  /** Bundles whose key may not say what is so, since a request about it failed; it is put right when the timer goes off. */
  readonly #unsettled = new Map<string, Timer>();
  #closed = false;
  /** One more each time a session ended. */
  #epoch = 0;

  constructor(store: MetadataStore, urls: BrokerUrls, clock: Clock) {
    this.#store = store;
    this.#urls = urls;
    this.#clock = clock;
  }

  get owned(): ReadonlyMap<string, Bundle> {
    return this.#owned;
  }

  owns(bundle: Bundle): boolean {
    return this.#owned.has(bundle.name);
  }

  /** Who has the bundle by the metadata store, which may be this broker although it does not own it: see `acquire`. */
  async ownerOf(bundle: Bundle): Promise<BundleOwner | undefined> {
    if (this.owns(bundle)) return { ...this.#urls, disabled: false };
    const found = await this.#store.get(paths.bundle(bundle.name));
    return found === undefined ? undefined : this.#owner(bundle, found.value);
  }

  /**
   * Takes a bundle that nobody owns; answers the owner, which is another broker when that was faster. A key of this
   * broker's own that it does not know of, since the answer to its creation was lost, is made anew.
   */
  acquire(bundle: Bundle): Promise<BundleOwner> {
    const underWay = this.#acquiring.get(bundle.name);
    if (underWay !== undefined) return underWay;
    const acquiring = this.#acquire(bundle).finally(() => this.#acquiring.delete(bundle.name));
    this.#acquiring.set(bundle.name, acquiring);
    return acquiring;
  }

  async #acquire(bundle: Bundle): Promise<BundleOwner> {
    if (this.owns(bundle)) return { ...this.#urls, disabled: false };
    const epoch = this.#epoch;
    const key = paths.bundle(bundle.name);
    const found = await this.#store.get(key);
    const owner = found && this.#owner(bundle, found.value);
    if (owner !== undefined && (owner.brokerId !== this.#urls.brokerId || owner.disabled)) return owner;
    if (this.#closed) throw new MetadataError("Unavailable", `this broker is closing and takes no bundle`);
    try {
      if (found !== undefined) await this.#store.delete(key, found.stat.version);
      const value = encodeOwner({ ...this.#urls, disabled: false });
      await this.#store.put(key, value, { expectedVersion: -1, ephemeral: true });
    } catch (error) {
      if (!(error instanceof MetadataError) || (error.code !== "BadVersion" && error.code !== "NotFound")) throw error;
      const winner = await this.ownerOf(bundle);
      if (winner === undefined) throw error;
      return winner;
    }
    // the answer came after the session that the key went with
    if (epoch !== this.#epoch) throw new MetadataError("Unavailable", `the session ended while ${key} was taken`);
    this.#owned.set(bundle.name, bundle);
    return { ...this.#urls, disabled: false };
  }

  /**
   * Marks a bundle as going, so that nobody connects for it any more, before its topics are closed. When that fails the
   * bundle is owned as before.
   */
  async disable(bundle: Bundle): Promise<void> {
    if (!this.#owned.delete(bundle.name)) return;
    this.#leaving.add(bundle.name);
    try {
      await this.#write(bundle, true);
    } catch (error) {
      this.#leaving.delete(bundle.name);
      this.#owned.set(bundle.name, bundle);
      this.#settleLater(bundle, error);
      throw error;
    }
  }

  /** Lets a bundle go, after its topics were closed. When that fails it is tried again until it does not. */
  async release(bundle: Bundle): Promise<void> {
    this.#owned.delete(bundle.name);
    this.#leaving.add(bundle.name);
    try {
      await this.#remove(bundle);
    } catch (error) {
      this.#settleLater(bundle, error);
      throw error;
    }
  }

  /** The session is over: nothing is owned any more. */
  forgetAll(): void {
    this.#epoch++;
    this.#owned.clear();
    this.#leaving.clear();
    this.#settleNothing();
  }

  /** No further bundle is taken. */
  close(): void {
    this.#closed = true;
    this.#settleNothing();
  }

  #owner(bundle: Bundle, value: Uint8Array): BundleOwner {
    const owner = decodeOwner(value);
    if (owner.brokerId !== this.#urls.brokerId) return owner;
    return { ...owner, disabled: this.#leaving.has(bundle.name) };
  }

  async #write(bundle: Bundle, disabled: boolean): Promise<void> {
    await this.#store.put(paths.bundle(bundle.name), encodeOwner({ ...this.#urls, disabled }), { ephemeral: true });
  }

  async #remove(bundle: Bundle): Promise<void> {
    const key = paths.bundle(bundle.name);
    const found = await this.#store.get(key);
    if (found !== undefined && decodeOwner(found.value).brokerId === this.#urls.brokerId) await this.#store.delete(key);
    this.#leaving.delete(bundle.name);
  }

  // A request that failed may have been carried out all the same, and its key then says what is not so.
  #settleLater(bundle: Bundle, error: unknown): void {
    // with any other error the session is over, and the key with it
    if (!(error instanceof MetadataError) || error.code !== "Unavailable") return;
    if (this.#closed || this.#unsettled.has(bundle.name)) return;
    const timer = this.#clock.setTimer(SETTLE_AFTER_MS, () => {
      this.#unsettled.delete(bundle.name);
      this.#settle(bundle).catch((again: unknown) => this.#settleLater(bundle, again));
    });
    this.#unsettled.set(bundle.name, timer);
  }

  async #settle(bundle: Bundle): Promise<void> {
    if (this.owns(bundle)) await this.#write(bundle, false);
    else if (this.#leaving.has(bundle.name)) await this.#remove(bundle);
  }

  #settleNothing(): void {
    for (const timer of this.#unsettled.values()) timer.cancel();
    this.#unsettled.clear();
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
