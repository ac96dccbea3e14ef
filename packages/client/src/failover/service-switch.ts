import type { ClientRuntime } from "@pulsewire/runtime";
import type { Authentication, BoundAuthentication } from "../auth/authentication.ts";
import type { ConnectionPool } from "../connection/connection-pool.ts";
import { ConnectionError } from "../errors.ts";
import type { Logger } from "../logger.ts";
import type { CurrentService } from "../lookup/current-service.ts";
import { hostAndPort, isHttp, parseServiceUrl, type ServiceUrl } from "../lookup/service-url.ts";
import type { ServiceChoice, ServiceUrlControl } from "./service-url-provider.ts";

export interface ServiceSwitchOptions {
  readonly runtime: ClientRuntime;
  readonly logger: Logger;
  readonly pool: ConnectionPool;
  readonly service: CurrentService;
  readonly connectionTimeoutMs: number;
  /** Who the client is where a choice does not say. */
  readonly authentication: Authentication | undefined;
  bind(authentication: Authentication | undefined): BoundAuthentication | undefined;
}

/** Moves a client from one cluster to another. */
export class ServiceSwitch implements ServiceUrlControl {
  readonly runtime: ClientRuntime;
  readonly logger: Logger;
  readonly #options: ServiceSwitchOptions;

  constructor(options: ServiceSwitchOptions) {
    this.runtime = options.runtime;
    this.logger = options.logger;
    this.#options = options;
  }

  async probe(choice: ServiceChoice): Promise<boolean> {
    const url = parseServiceUrl(choice.serviceUrl);
    if (isHttp(url)) return this.#answersHttp(url);
    const { pool } = this.#options;
    return pool.probe(url, this.#authenticationOf(choice));
  }

  switchTo(choice: ServiceChoice): void {
    const url = parseServiceUrl(choice.serviceUrl);
    const { service, pool } = this.#options;
    // what was attached waits to attach again then, and is told where by the change
    pool.endAll(new ConnectionError("ConnectionClosed", `the client goes to ${url.text}`, { retryable: true }));
    service.change(url, this.#authenticationOf(choice));
  }

  #authenticationOf(choice: ServiceChoice): BoundAuthentication | undefined {
    return this.#options.bind(choice.authentication ?? this.#options.authentication);
  }

  async #answersHttp(url: ServiceUrl): Promise<boolean> {
    const { connectionTimeoutMs, service } = this.#options;
    const options = { timeoutMs: connectionTimeoutMs, ...(service.tls === undefined ? {} : { tls: service.tls }) };
    for (const host of url.hosts) {
      try {
        // whatever it answers, somebody is there
        await this.runtime.network.fetch(new Request(`${url.scheme}://${hostAndPort(host)}/status.html`), options);
        return true;
      } catch (error) {
        this.logger.debug(`${hostAndPort(host)} does not answer: ${String(error)}`);
      }
    }
    return false;
  }
}
