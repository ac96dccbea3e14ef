import { ServerError, type TopicName } from "@pulsewire/protocol";
import { BrokerError } from "../broker-error.ts";
import { chooseBroker } from "./broker-choice.ts";
import type { BrokerRegistry, BrokerUrls } from "./broker-registry.ts";
import type { Bundle } from "./bundle.ts";
import type { BundleOwner, BundleOwnership } from "./bundle-ownership.ts";
import type { NamespaceBundles } from "./namespace-bundles.ts";

/** Where a client finds a topic. */
export type LookupAnswer =
  /** This broker owns it. */
  | { kind: "connect"; broker: BrokerUrls }
  /** Ask that broker; it owns the topic, or (authoritative) it may take it. */
  | { kind: "redirect"; broker: BrokerUrls; authoritative: boolean };

export interface TopicLookupOptions {
  urls: BrokerUrls;
  bundles: NamespaceBundles;
  ownership: BundleOwnership;
  registry: BrokerRegistry;
}

/**
 * Finds the broker that serves a topic, and gives a bundle that nobody owns an owner. The binary LOOKUP and the HTTP
 * lookup both ask here.
 */
export class TopicLookup {
  readonly #options: TopicLookupOptions;

  constructor(options: TopicLookupOptions) {
    this.#options = options;
  }

  /**
   * @param authoritative The asker was sent here to take the bundle. Default false.
   * Rejects with a BrokerError: TopicNotFound for a missing namespace, ServiceNotReady while a bundle moves.
   */
  async lookup(topic: TopicName, authoritative = false): Promise<LookupAnswer> {
    const { bundles, ownership, urls } = this.#options;
    const bundle = await bundles.bundleOf(topic);
    const owner = await ownership.ownerOf(bundle);
    const known = owner !== undefined && (owner.brokerId !== urls.brokerId || owner.disabled || ownership.owns(bundle));
    if (known) return this.#answer(bundle, owner);
    if (owner !== undefined) return this.#answer(bundle, await ownership.acquire(bundle));
    const chosen = authoritative ? urls : await this.#choose(bundle);
    if (chosen.brokerId !== urls.brokerId) return { kind: "redirect", broker: chosen, authoritative: true };
    return this.#answer(bundle, await ownership.acquire(bundle));
  }

  async #choose(bundle: Bundle): Promise<BrokerUrls> {
    const { registry, urls } = this.#options;
    const chosen = chooseBroker(bundle, await registry.list());
    if (chosen === undefined || chosen === urls.brokerId) return urls;
    return (await registry.get(chosen)) ?? urls;
  }

  #answer(bundle: Bundle, owner: BundleOwner): LookupAnswer {
    if (owner.disabled) {
      throw new BrokerError(ServerError.ServiceNotReady, `Namespace bundle ${bundle.name} is being unloaded`);
    }
    if (owner.brokerId === this.#options.urls.brokerId) return { kind: "connect", broker: owner };
    return { kind: "redirect", broker: owner, authoritative: false };
  }
}
