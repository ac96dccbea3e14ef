import { type Decoded, type Int64, type MessageMetadata, ServerError } from "@pulsewire/protocol";
import type { ManagedLedger, ManagedLedgerError, Position } from "../../managed-ledger/index.ts";
import { type Deduplication, isLastChunk, larger } from "./deduplication.ts";
import type { TopicProducer } from "./producer.ts";
import { Publication, type PublicationOwner } from "./publication.ts";

/** What the publisher tells its topic. */
export interface PublisherEvents {
  /** A write failed for the first time since all was well. */
  writeFailed(error: ManagedLedgerError): void;
  /** After a failed write every publish under way has its outcome. */
  drained(): void;
  /** Enough was stored for a snapshot of the deduplication table. */
  snapshotDue(): void;
}

/**
 * The way of a publish: looked at for duplicates, appended, answered. In the order in which they came, and without a
 * promise for each.
 */
export class Publisher implements PublicationOwner {
  readonly #ledger: ManagedLedger;
  readonly #events: PublisherEvents;
  deduplication: Deduplication | undefined;
  #underWay = 0;
  #failing = false;
  msgInCounter = 0;
  bytesInCounter = 0;

  constructor(ledger: ManagedLedger, events: PublisherEvents) {
    this.#ledger = ledger;
    this.#events = events;
  }

  /** Publishes whose outcome is not known yet. */
  get underWay(): number {
    return this.#underWay;
  }

  publish(
    producer: TopicProducer,
    sequenceId: Int64,
    highestSequenceId: Int64,
    metadata: Decoded<MessageMetadata>,
    entry: Uint8Array,
  ): void {
    if (!producer.attached || this.#failing) {
      producer.session.publishDropped(producer);
      return;
    }
    const highest = larger(highestSequenceId, sequenceId);
    const completes = isLastChunk(metadata);
    if (completes && this.deduplication !== undefined && !this.#isNew(producer, sequenceId, highest)) return;
    const messages = metadata.numMessagesInBatch ?? 1;
    producer.msgInCounter += messages;
    producer.bytesInCounter += entry.length;
    if (metadata.chunkId !== undefined) producer.chunkedMessageCounter++;
    this.#underWay++;
    this.#ledger.append(
      entry,
      new Publication(this, producer, sequenceId, highestSequenceId, completes, entry.length, messages),
    );
  }

  stored(publication: Publication, position: Position): void {
    const { producer, sequenceId, highestSequenceId } = publication;
    this.#underWay--;
    this.msgInCounter += publication.messages;
    this.bytesInCounter += publication.sizeBytes;
    const { deduplication } = this;
    if (deduplication !== undefined) {
      if (publication.completes) {
        deduplication.persisted(producer.name, larger(highestSequenceId, sequenceId), position);
      } else deduplication.chunkPersisted(position);
      if (deduplication.snapshotDue) this.#events.snapshotDue();
    }
    producer.session.published(producer, sequenceId, highestSequenceId, position.ledgerId, position.entryId);
    this.#settle();
  }

  storingFailed(publication: Publication, error: ManagedLedgerError): void {
    const { producer, sequenceId } = publication;
    this.#underWay--;
    if (error.code === "Terminated") {
      producer.session.publishFailed(
        producer,
        sequenceId,
        ServerError.TopicTerminatedError,
        "Topic was already terminated",
      );
    } else {
      const first = !this.#failing;
      this.#failing = true;
      // the producers are told to connect again, and send again what has no receipt: an error of its own would make
      // clients drop the whole connection
      if (first) this.#events.writeFailed(error);
      producer.session.publishDropped(producer);
    }
    this.#settle();
  }

  // seq 5 is appended and fails, 6 and 7 are under way: what they become decides what a resent 6 is, so nobody
  // publishes again before they have settled
  #settle(): void {
    if (!this.#failing || this.#underWay > 0) return;
    this.#failing = false;
    this.deduplication?.forgetPushed();
    this.#events.drained();
  }

  #isNew(producer: TopicProducer, sequenceId: Int64, highest: Int64): boolean {
    const verdict = this.deduplication?.check(producer.name, sequenceId, highest) ?? "new";
    if (verdict === "new") return true;
    if (verdict === "duplicate") producer.session.published(producer, sequenceId, highest, -1, -1);
    else {
      const message = "Cannot determine whether the message is a duplicate at this time";
      producer.session.publishFailed(producer, sequenceId, ServerError.PersistenceError, message);
    }
    return false;
  }
}
