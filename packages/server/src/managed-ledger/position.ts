import { type Decoded, type MessageMetadata, parseMetadata } from "@pulsewire/protocol";

/** A place in a managed ledger. Entry -1 is the place before a ledger's first entry. */
export interface Position {
  readonly ledgerId: number;
  readonly entryId: number;
}

/** Negative: `a` comes first. */
export function comparePositions(a: Position, b: Position): number {
  return a.ledgerId - b.ledgerId || a.entryId - b.entryId;
}

/** `ledger:entry`, as Pulsar writes it. */
export function formatPosition(p: Position): string {
  return `${p.ledgerId}:${p.entryId}`;
}

/** The place before everything. */
export const EARLIEST_POSITION: Position = Object.freeze({ ledgerId: -1, entryId: -1 });

/**
 * One stored entry. `data` is what the producer sent behind the command (checksum, metadata, payload) and is shared by
 * all who read it: nobody writes to it.
 */
export class Entry implements Position {
  readonly ledgerId: number;
  readonly entryId: number;
  readonly data: Uint8Array;
  #metadata: Decoded<MessageMetadata> | undefined;

  constructor(ledgerId: number, entryId: number, data: Uint8Array) {
    this.ledgerId = ledgerId;
    this.entryId = entryId;
    this.data = data;
  }

  /** The entry's metadata, decoded once. Throws a ProtocolError when the entry is broken. */
  get metadata(): Decoded<MessageMetadata> {
    this.#metadata ??= parseMetadata(this.data);
    return this.#metadata;
  }

  /** How many messages the entry holds. */
  get messageCount(): number {
    return this.metadata.numMessagesInBatch ?? 1;
  }
}
