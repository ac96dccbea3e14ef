import type { ClientTlsOptions } from "@pulsewire/runtime";
import { AlreadyClosedError, toPulsarError } from "../errors.ts";
import { addressOf, type ServiceUrl } from "../lookup/service-url.ts";
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
    const opening = this.#start(key, target);
    this.#connections.set(key, opening);
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

  /** Ends all connections; those being opened end as soon as they are there. */
  async close(): Promise<void> {
    this.#closed = true;
    for (const connection of this.#open) connection.close();
    await Promise.allSettled(this.#connections.values());
    this.#connections.clear();
  }

  async #start(key: string, target: Target): Promise<Connection> {
    try {
      const connection = await openConnection(target, this.#options);
      if (this.#closed) {
        connection.close();
        throw new AlreadyClosedError("the client was closed while it connected");
      }
      this.#open.add(connection);
      connection.onClosed(() => {
        this.#open.delete(connection);
        this.#connections.delete(key);
      });
      return connection;
    } catch (error) {
      this.#connections.delete(key);
      throw error;
    }
  }
}
