/** A transaction's id: the coordinator that keeps it, and its number there. */
export class TransactionId {
  readonly mostSigBits: number;
  readonly leastSigBits: number;

  constructor(mostSigBits: number, leastSigBits: number) {
    this.mostSigBits = mostSigBits;
    this.leastSigBits = leastSigBits;
  }

  /** `(most,least)`, as Pulsar's tools print it. */
  toString(): string {
    return `(${this.mostSigBits},${this.leastSigBits})`;
  }
}
