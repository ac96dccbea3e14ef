import { ServerError, type TopicName } from "@pulsewire/protocol";
import { BrokerError } from "../broker-error.ts";
import type { Namespaces } from "../resources/namespaces.ts";
import { type Bundle, bundleOf, bundlesOf } from "./bundle.ts";

/** The bundles of namespaces, read from their policies and kept until these change. */
export class NamespaceBundles implements Disposable {
  readonly #namespaces: Namespaces;
  readonly #boundaries = new Map<string, Promise<readonly string[]>>();
  readonly #watch: Disposable;

  constructor(namespaces: Namespaces) {
    this.#namespaces = namespaces;
    this.#watch = namespaces.watch((namespace) => this.#boundaries.delete(namespace));
  }

  /** Rejects with TopicNotFound for a namespace that is not there. */
  async bundleOf(topic: TopicName): Promise<Bundle> {
    return bundleOf(topic, await this.#boundariesOf(topic.namespace));
  }

  async bundlesOf(namespace: string): Promise<Bundle[]> {
    return bundlesOf(namespace, await this.#boundariesOf(namespace));
  }

  /** What is kept may be of yesterday: it is read anew. */
  forgetAll(): void {
    this.#boundaries.clear();
  }

  [Symbol.dispose](): void {
    this.#watch[Symbol.dispose]();
  }

  #boundariesOf(namespace: string): Promise<readonly string[]> {
    const known = this.#boundaries.get(namespace);
    if (known !== undefined) return known;
    const reading = this.#read(namespace);
    this.#boundaries.set(namespace, reading);
    reading.catch(() => this.#boundaries.delete(namespace));
    return reading;
  }

  async #read(namespace: string): Promise<readonly string[]> {
    const policies = await this.#namespaces.get(namespace);
    if (policies === undefined || policies.deleted === true) {
      throw new BrokerError(ServerError.TopicNotFound, "Namespace not found");
    }
    return policies.bundles.boundaries;
  }
}
