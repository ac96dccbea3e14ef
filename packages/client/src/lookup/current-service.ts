import type { ClientTlsOptions } from "@pulsewire/runtime";
import type { BoundAuthentication } from "../auth/authentication.ts";
import type { ServiceUrl } from "./service-url.ts";

/** The cluster a client talks to, and who it is there. Another one when a service-URL provider says so. */
export class CurrentService {
  readonly tls: ClientTlsOptions | undefined;
  readonly #listeners = new Set<() => void>();
  #serviceUrl: ServiceUrl;
  #authentication: BoundAuthentication | undefined;

  constructor(
    serviceUrl: ServiceUrl,
    authentication: BoundAuthentication | undefined,
    tls: ClientTlsOptions | undefined,
  ) {
    this.#serviceUrl = serviceUrl;
    this.#authentication = authentication;
    this.tls = tls;
  }

  get serviceUrl(): ServiceUrl {
    return this.#serviceUrl;
  }

  get authentication(): BoundAuthentication | undefined {
    return this.#authentication;
  }

  /** Called after each change; the answer ends that. */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  change(serviceUrl: ServiceUrl, authentication: BoundAuthentication | undefined): void {
    this.#serviceUrl = serviceUrl;
    this.#authentication = authentication;
    for (const listener of [...this.#listeners]) listener();
  }
}
