import type { ClientTlsOptions } from "@pulsewire/runtime";
import type { BoundAuthentication } from "../auth/authentication.ts";
import { AlreadyClosedError, type PulsarError, toPulsarError } from "../errors.ts";
import { addressOf, hostAndPort, type ServiceUrl } from "../lookup/service-url.ts";
import type { Connection } from "./connection.ts";
import { type OpenOptions, openConnection, type Target } from "./open-connection.ts";

export interface PoolOptions extends OpenOptions {
  readonly connectionsPerBroker: number;
  readonly tls: ClientTlsOptions | undefined;
}

/**
 * The connections of one client, shared by who goes to the same broker. A connection that ended is forgotten, and the
 * next who asks gets a new one. Which of `connectionsPerBroker` one gets is chosen by `slot`.
 */
export class ConnectionPool {
  readonly #options: PoolOptions;
  readonly #connections = new Map<string, Promise<Connection>>();
  readonly #open = new Set<Connection>();
  /** One for each attempt: a signal that many wait for at once makes Node suspect a leak. */
  readonly #attempts = new Set<AbortController>();
  #nextSlot = 0;
  #hostIndex = 0;
  #closed = false;

  constructor(options: PoolOptions) {
    this.#options = options;
  }

  /** A slot for one producer or consumer to keep, so that its commands share one connection. */
  newSlot(): number {
    return this.#nextSlot++ % this.#options.connectionsPerBroker;
  }

  get(target: Target, slot: number): Promise<Connection> {
    if (this.#closed) return Promise.reject(new AlreadyClosedError("the client is closed"));
    const key = `${JSON.stringify([target.address, target.proxyTo ?? ""])}#${slot}`;
    const existing = this.#connections.get(key);
    if (existing !== undefined) return existing;
    const opening = this.#start(target);
    this.#connections.set(key, opening);
    // another may have been made for the key by then
    const forget = (): void => {
      if (this.#connections.get(key) === opening) this.#connections.delete(key);
    };
    opening.then((connection) => connection.onClosed(forget), forget);
    return opening;
  }

  /** A connection to whichever host of a service URL answers, the last good one first. Rejects when none does. */
  async service(url: ServiceUrl): Promise<{ connection: Connection; target: Target }> {
    let failure: unknown;
    for (let tries = 0; tries < url.hosts.length; tries++) {
      const host = url.hosts[this.#hostIndex % url.hosts.length] ?? url.hosts[0];
      const target: Target = { address: addressOf(url, host, this.#options.tls) };
      try {
        return { connection: await this.get(target, 0), target };
      } catch (error) {
        failure = error;
        this.#hostIndex++;
      }
    }
    throw toPulsarError(failure);
  }

  /** Whether somebody answers at a host of a service URL, were it to refuse the client. Never rejects. */
  async probe(url: ServiceUrl, authentication: BoundAuthentication | undefined): Promise<boolean> {
    for (const host of url.hosts) {
      const target: Target = { address: addressOf(url, host, this.#options.tls) };
      try {
        (await openConnection(target, { ...this.#options, service: { authentication } })).close();
        return true;
      } catch (error) {
        const { code, serverError } = toPulsarError(error);
        if (serverError !== undefined) return true;
        this.#options.logger.debug(`${hostAndPort(host)} does not answer: ${code}`);
      }
    }
    return false;
  }

  /** Ends all connections, those being opened too; who asks from now on gets new ones. */
  endAll(error: PulsarError): void {
    const opening = [...this.#connections.values()];
    this.#connections.clear();
    for (const connection of [...this.#open]) connection.fail(error);
    for (const connection of opening) connection.then((opened) => opened.fail(error), ignoreFailure);
  }

  /** Ends all connections; those being opened end as soon as they are there. */
  async close(): Promise<void> {
    this.#closed = true;
    for (const attempt of this.#attempts) attempt.abort();
    for (const connection of this.#open) connection.close();
    await Promise.allSettled(this.#connections.values());
    this.#connections.clear();
  }

  async #start(target: Target): Promise<Connection> {
    const connection = await this.#opened(target);
    if (this.#closed) {
      connection.close();
      throw new AlreadyClosedError("the client was closed while it connected");
    }
    this.#open.add(connection);
    const { telemetry } = this.#options;
    telemetry?.connectionOpened();
    connection.onClosed(() => {
      this.#open.delete(connection);
      telemetry?.connectionClosed();
    });
    return connection;
  }

  async #opened(target: Target): Promise<Connection> {
    const attempt = new AbortController();
    this.#attempts.add(attempt);
    if (this.#closed) attempt.abort();
    try {
      return await openConnection(target, { ...this.#options, signal: attempt.signal });
    } catch (error) {
      this.#options.telemetry?.connectionFailed();
      throw error;
    } finally {
      this.#attempts.delete(attempt);
    }
  }
}

function ignoreFailure(): void {
  // told to whoever asked for the connection
}
