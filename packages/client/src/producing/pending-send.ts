import type { PulsarError } from "../errors.ts";
import type { MessageId } from "../message-id.ts";
import type { ProducerMessage } from "./producer-message.ts";

const EMPTY = new Uint8Array(0);

/** The two ends of a `send`'s promise. */
export type Resolve = (id: MessageId) => void;
export type Reject = (error: PulsarError) => void;

/** A message on its way into an entry, and who waits for it. */
export interface AcceptedMessage {
  readonly message: ProducerMessage;
  readonly payload: Uint8Array;
  readonly sequenceId: number;
  readonly resolve: Resolve;
  readonly reject: Reject;
}

/**
 * One entry that was sent or is to be sent, until its receipt. `preparing`: being compressed; `ready`: its bytes are
 * there; `dropped`: settled before its turn, to be passed over.
 */
export class PendingSend {
  /** Rises by one for each entry of a producer. */
  readonly index: number;
  readonly createdMs: number;
  state: "preparing" | "ready" | "dropped" = "preparing";
  sequenceId = 0;
  highestSequenceId = 0;
  count = 0;
  /** Set for an entry that holds one message. */
  single: ProducerMessage | undefined;
  /** The first message of a batch, for what the entry's own metadata takes from it. */
  first: ProducerMessage | undefined;
  /** What was reserved of the memory limit. */
  reservedBytes = 0;
  /** The payload before compression, and the frame's two pieces when ready. */
  payload: Uint8Array = EMPTY;
  head: Uint8Array = EMPTY;
  body: Uint8Array = EMPTY;
  readonly resolves: Resolve[] = [];
  readonly rejects: Reject[] = [];

  constructor(index: number, createdMs: number) {
    this.index = index;
    this.createdMs = createdMs;
  }
}
