/** Lines kept, by default. */
const LINES_MAX_DEFAULT = 2_000;

const words = new Uint32Array(2);
const asFloat = new Float64Array(words.buffer);

export interface TraceOptions {
  /** The last lines that are kept; the hash is over all of them. Default 2,000. */
  linesMax?: number;
  /** Told of every line as it is written. Default: nobody. */
  onLine?: ((line: string) => void) | undefined;
}

interface Note {
  atMs: number;
  node: string;
  what: string;
}

function lineOf({ atMs, node, what }: Note): string {
  return `${atMs.toFixed(3).padStart(12)} ${node.padEnd(16)} ${what}`;
}

/**
 * What happened, line by line (virtual time in ms, node, what), and a running hash over it and over the content of
 * everything that was sent: two runs that have the same hash were the same.
 */
export class Trace {
  readonly #nowMs: () => number;
  readonly #linesMax: number;
  readonly #onLine: ((line: string) => void) | undefined;
  #notes: Note[] = [];
  #count = 0;
  #low = 0x811c9dc5;
  #high = 0x9e3779b9;

  constructor(nowMs: () => number, options: TraceOptions = {}) {
    this.#nowMs = nowMs;
    this.#linesMax = options.linesMax ?? LINES_MAX_DEFAULT;
    this.#onLine = options.onLine;
  }

  /** Lines ever written. */
  get count(): number {
    return this.#count;
  }

  /** The last lines. */
  get lines(): readonly string[] {
    return this.#notes.slice(-this.#linesMax).map(lineOf);
  }

  /** 16 hexadecimal digits over everything until now. */
  get hash(): string {
    return hex(this.#high) + hex(this.#low);
  }

  note(node: string, what: string): void {
    const note: Note = { atMs: this.#nowMs(), node, what };
    this.#count++;
    // a line is made of it only where somebody reads it: most are never read
    this.#notes.push(note);
    if (this.#notes.length >= 2 * this.#linesMax) this.#notes = this.#notes.slice(-this.#linesMax);
    this.mixNumber(note.atMs);
    this.mixText(node);
    this.mixText(what);
    this.#onLine?.(lineOf(note));
  }

  mixNumber(value: number): void {
    asFloat[0] = value;
    this.#mix(words[0] as number);
    this.#mix(words[1] as number);
  }

  mixText(text: string): void {
    const { length } = text;
    this.#mix(length);
    let i = 0;
    for (; i + 1 < length; i += 2) this.#mix(text.charCodeAt(i) | (text.charCodeAt(i + 1) << 16));
    if (i < length) this.#mix(text.charCodeAt(i));
  }

  mixBytes(bytes: Uint8Array): void {
    const { length } = bytes;
    this.#mix(length);
    let i = 0;
    for (; i + 3 < length; i += 4) this.#mix(wordAt(bytes, i));
    for (; i < length; i++) this.#mix(bytes[i] as number);
  }

  /** Any plain value: what nodes send each other. */
  mixValue(value: unknown): void {
    if (typeof value === "number") this.mixNumber(value);
    else if (typeof value === "string") this.mixText(value);
    else if (value instanceof Uint8Array) this.mixBytes(value);
    else if (Array.isArray(value)) for (const item of value) this.mixValue(item);
    else if (typeof value === "object" && value !== null) {
      for (const key in value) {
        this.mixText(key);
        this.mixValue((value as Record<string, unknown>)[key]);
      }
    } else this.mixText(String(value));
  }

  #mix(word: number): void {
    this.#low = Math.imul(this.#low ^ word, 0x01000193);
    this.#high = Math.imul(((this.#high << 13) | (this.#high >>> 19)) ^ word, 0x85ebca6b);
  }
}

function wordAt(bytes: Uint8Array, i: number): number {
  const low = (bytes[i] as number) | ((bytes[i + 1] as number) << 8);
  return low | ((bytes[i + 2] as number) << 16) | ((bytes[i + 3] as number) << 24);
}

function hex(word: number): string {
  return (word >>> 0).toString(16).padStart(8, "0");
}
