import type { DiskFile } from "@pulsewire/runtime";
import { payloadMatches, RECORD_HEAD_BYTES, type RecordHead, readHead } from "./entry-record.ts";

const WINDOW_BYTES = 1024 * 1024;

export type Scanned =
  | { kind: "record"; offset: number; endOffset: number; head: RecordHead; payload: Uint8Array }
  /** The head is intact and the payload is not. */
  | { kind: "damaged"; offset: number; endOffset: number; head: RecordHead }
  /** No intact head here, or fewer bytes than it says. */
  | { kind: "broken"; offset: number }
  | { kind: "end"; offset: number };

/** Reads the records of a file one after the other, in large steps. Payloads are views of what was read. */
export class RecordScanner {
  readonly #file: DiskFile;
  readonly #sizeBytes: number;
  #window: Uint8Array = new Uint8Array(0);
  #windowOffset = 0;

  /** @param sizeBytes Where to stop. Default: the end of the file. */
  constructor(file: DiskFile, sizeBytes: number = file.sizeBytes) {
    this.#file = file;
    this.#sizeBytes = Math.min(sizeBytes, file.sizeBytes);
  }

  async at(offset: number): Promise<Scanned> {
    if (offset === this.#sizeBytes) return { kind: "end", offset };
    const headBytes = await this.#bytes(offset, RECORD_HEAD_BYTES);
    const head = headBytes && readHead(headBytes, 0);
    if (head === undefined) return { kind: "broken", offset };
    const payload = await this.#bytes(offset + RECORD_HEAD_BYTES, head.payloadLength);
    if (payload === undefined) return { kind: "broken", offset };
    const endOffset = offset + RECORD_HEAD_BYTES + head.payloadLength;
    if (!payloadMatches(head, payload)) return { kind: "damaged", offset, endOffset, head };
    return { kind: "record", offset, endOffset, head, payload };
  }

  /** The first offset at or after one at which there is an intact head that `wanted` accepts. */
  async find(fromOffset: number, wanted: (head: RecordHead, offset: number) => boolean): Promise<number | undefined> {
    for (let start = fromOffset; start + RECORD_HEAD_BYTES <= this.#sizeBytes; ) {
      const length = Math.min(WINDOW_BYTES, this.#sizeBytes - start);
      const bytes = (await this.#bytes(start, length)) as Uint8Array;
      for (let i = 0; i + RECORD_HEAD_BYTES <= bytes.length; i++) {
        const head = readHead(bytes, i);
        if (head !== undefined && wanted(head, start + i)) return start + i;
      }
      start += Math.max(1, length - RECORD_HEAD_BYTES + 1);
    }
    return undefined;
  }

  /** Undefined where the file has fewer bytes. */
  async #bytes(offset: number, length: number): Promise<Uint8Array | undefined> {
    if (offset + length > this.#sizeBytes) return undefined;
    const inWindow = offset >= this.#windowOffset && offset + length <= this.#windowOffset + this.#window.length;
    if (!inWindow) {
      const wanted = Math.min(this.#sizeBytes - offset, Math.max(length, WINDOW_BYTES));
      this.#window = await this.#file.read(offset, wanted);
      this.#windowOffset = offset;
      if (this.#window.length < length) return undefined;
    }
    const start = offset - this.#windowOffset;
    return this.#window.subarray(start, start + length);
  }
}
