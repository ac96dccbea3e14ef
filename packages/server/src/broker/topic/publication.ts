import type { Int64 } from "@pulsewire/protocol";
import type { ManagedLedgerError, Position } from "../../managed-ledger/index.ts";
import type { AppendListener } from "../../managed-ledger/managed-ledger.ts";
import type { TopicProducer } from "./producer.ts";

/** Who is told how a publication went. */
export interface PublicationOwner {
  stored(publication: Publication, position: Position): void;
  storingFailed(publication: Publication, error: ManagedLedgerError): void;
}

/** One publish on its way into the ledger: what its receipt needs. */
export class Publication implements AppendListener {
  readonly producer: TopicProducer;
  readonly sequenceId: Int64;
  readonly highestSequenceId: Int64;
  /** False for a chunk that is not its message's last. */
  readonly completes: boolean;
  readonly sizeBytes: number;
  /** How many messages the entry holds. */
  readonly messages: number;
  readonly #owner: PublicationOwner;

  constructor(
    owner: PublicationOwner,
    producer: TopicProducer,
    sequenceId: Int64,
    highestSequenceId: Int64,
    completes: boolean,
    sizeBytes: number,
    messages: number,
  ) {
    this.#owner = owner;
    this.producer = producer;
    this.sequenceId = sequenceId;
    this.highestSequenceId = highestSequenceId;
    this.completes = completes;
    this.sizeBytes = sizeBytes;
    this.messages = messages;
  }

  onAppended(position: Position): void {
    this.#owner.stored(this, position);
  }

  onAppendFailed(error: ManagedLedgerError): void {
    this.#owner.storingFailed(this, error);
  }
}
