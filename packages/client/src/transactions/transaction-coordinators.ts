import { type Command, CommandType, TxnAction } from "@pulsewire/protocol";
import type { ClientContext } from "../client-context.ts";
import type { Connection } from "../connection/connection.ts";
import { retrying } from "../connection/retry.ts";
import { PulsarError, toPulsarError } from "../errors.ts";
import { TransactionId } from "./transaction-id.ts";

/** Each partition of it stands for one coordinator: whoever owns the partition is the coordinator. */
const ASSIGN_TOPIC = "persistent://pulsar/system/transaction_coordinator_assign";

interface Link {
  readonly connection: Connection;
  readonly ready: Promise<unknown>;
}

/**
 * The cluster's transaction coordinators. Connects to one when it is first needed, and again, wherever it then is, when
 * the connection has ended.
 */
export class TransactionCoordinators {
  readonly #context: ClientContext;
  readonly #slot: number;
  readonly #links = new Map<number, Link>();
  #count = 0;
  #next: number;

  constructor(context: ClientContext) {
    this.#context = context;
    this.#slot = context.pool.newSlot();
    this.#next = context.runtime.random.integer(1024);
  }

  /** Begins a transaction with one coordinator after the other. Rejects with a PulsarError. */
  async begin(timeoutMs: number): Promise<TransactionId> {
    const count = await this.#coordinators();
    const tcId = this.#next++ % count;
    const answer = await this.#request(tcId, "a new transaction", (requestId) => ({
      type: CommandType.NEW_TXN,
      body: { requestId, txnTtlMillis: timeoutMs, tcId },
    }));
    if (answer.type !== CommandType.NEW_TXN_RESPONSE) throw unexpected(answer);
    return new TransactionId(answer.body.txnidMostBits ?? 0, answer.body.txnidLeastBits ?? 0);
  }

  /** Has a topic's messages be part of a transaction; before the first of them is sent. */
  async addTopic(id: TransactionId, topic: string): Promise<void> {
    await this.#request(id.mostSigBits, `adding ${topic} to transaction ${id}`, (requestId) => ({
      type: CommandType.ADD_PARTITION_TO_TXN,
      body: { requestId, ...bits(id), partitions: [topic] },
    }));
  }

  /** Has a subscription's acknowledgements be part of a transaction; before the first of them is sent. */
  async addSubscription(id: TransactionId, topic: string, subscription: string): Promise<void> {
    await this.#request(id.mostSigBits, `adding ${subscription} of ${topic} to transaction ${id}`, (requestId) => ({
      type: CommandType.ADD_SUBSCRIPTION_TO_TXN,
      body: { requestId, ...bits(id), subscription: [{ topic, subscription }] },
    }));
  }

  async end(id: TransactionId, action: "COMMIT" | "ABORT"): Promise<void> {
    await this.#request(id.mostSigBits, `ending transaction ${id}`, (requestId) => ({
      type: CommandType.END_TXN,
      body: { requestId, ...bits(id), txnAction: TxnAction[action] },
    }));
  }

  async #coordinators(): Promise<number> {
    if (this.#count > 0) return this.#count;
    const { lookup } = this.#context;
    this.#count = await retrying(this.#context, () => lookup.partitionCount(ASSIGN_TOPIC, false)).catch((error) => {
      if (toPulsarError(error).code === "TopicNotFound") return 0;
      throw error;
    });
    if (this.#count > 0) return this.#count;
    throw new PulsarError(
      "TransactionCoordinatorNotFound",
      "the cluster has no transaction coordinators, so it takes no transactions: Apache Pulsar's brokers do with " +
        "transactionCoordinatorEnabled=true in broker.conf, Pulsewire's own server does not",
    );
  }

  async #request(tcId: number, what: string, make: (requestId: number) => Command): Promise<Command> {
    return retrying(this.#context, async () => {
      try {
        return await (await this.#connected(tcId)).request(what, make);
      } catch (error) {
        throw this.#movedOr(tcId, toPulsarError(error));
      }
    });
  }

  /** A coordinator that is not there any more is somewhere else, or soon will be. */
  #movedOr(tcId: number, error: PulsarError): PulsarError {
    if (error.code !== "TransactionCoordinatorNotFound") return error;
    this.#links.delete(tcId);
    return new PulsarError(error.code, `coordinator ${tcId} is not where it was`, { cause: error, retryable: true });
  }

  async #connected(tcId: number): Promise<Connection> {
    let link = this.#links.get(tcId);
    if (link === undefined || !link.connection.open) {
      const { lookup, pool } = this.#context;
      const connection = await pool.get(await lookup.findBroker(`${ASSIGN_TOPIC}-partition-${tcId}`), this.#slot);
      link = { connection, ready: this.#announce(connection, tcId) };
      // told to whoever awaits it below
      link.ready.catch(() => this.#links.delete(tcId));
      this.#links.set(tcId, link);
    }
    await link.ready;
    return link.connection;
  }

  #announce(connection: Connection, tcId: number): Promise<unknown> {
    return connection.request(`transaction coordinator ${tcId}`, (requestId) => ({
      type: CommandType.TC_CLIENT_CONNECT_REQUEST,
      body: { requestId, tcId },
    }));
  }
}

/** As the commands of the wire have a transaction's id. */
export function bits(id: TransactionId): { txnidMostBits: number; txnidLeastBits: number } {
  return { txnidMostBits: id.mostSigBits, txnidLeastBits: id.leastSigBits };
}

function unexpected(answer: Command): PulsarError {
  return new PulsarError("ProtocolViolation", `NEW_TXN was answered by a command of type ${answer.type}`);
}
