import { MessageId as CoreMessageId } from "../message-id.ts";
import { type Buffer, bufferOf, isBuffer } from "./platform.ts";

export class MessageId {
  #id: CoreMessageId = CoreMessageId.earliest;

  static earliest(): MessageId {
    return MessageId.of(CoreMessageId.earliest);
  }

  static latest(): MessageId {
    return MessageId.of(CoreMessageId.latest);
  }

  static deserialize(data: Buffer): MessageId {
    if (!isBuffer(data)) throw new Error("Expected buffer as first argument");
    return MessageId.of(CoreMessageId.fromBytes(data));
  }

  /** @internal */
  static of(id: CoreMessageId): MessageId {
    const wrapped = new MessageId();
    wrapped.#id = id;
    return wrapped;
  }

  /** @internal This client's own id. */
  static core(id: MessageId): CoreMessageId {
    if (!(id instanceof MessageId)) throw new TypeError("Expected a MessageId");
    return id.#id;
  }

  serialize(): Buffer {
    return bufferOf(this.#id.toBytes());
  }

  /** `(ledger,entry,partition,batchIndex)`. */
  toString(): string {
    const { ledgerId, entryId, partition, batchIndex } = this.#id;
    return `(${ledgerId},${entryId},${partition},${batchIndex})`;
  }
}
