/**
 * The permits of one consumer at its broker: how many messages it may still push. With a receiver queue, what was taken
 * out of it is granted again when it makes half of the queue; without one, exactly what is asked for is granted.
 */
export class Permits {
  readonly #queueSize: number;
  readonly #grant: (permits: number) => void;
  #paused: boolean;
  /** What the broker has left; below 0 after a batch larger than what it had. */
  #available = 0;
  /** What may be granted again. */
  #owed = 0;

  constructor(queueSize: number, paused: boolean, grant: (permits: number) => void) {
    this.#queueSize = queueSize;
    this.#paused = paused;
    this.#grant = grant;
  }

  /** A new attachment starts without permits. */
  onAttached(): void {
    this.#available = 0;
    this.#owed = this.#queueSize;
    this.#grantOwed();
  }

  /** The broker has pushed messages. */
  onReceived(messages: number): void {
    this.#available -= messages;
  }

  /** Messages have left the queue. */
  onReleased(messages: number): void {
    if (this.#queueSize === 0) return;
    this.#owed += messages;
    if (this.#owed >= this.#queueSize >> 1) this.#grantOwed();
  }

  /** Without a receiver queue: so many receives wait. */
  demand(receives: number): void {
    if (this.#queueSize > 0 || this.#paused) return;
    const missing = receives - this.#available;
    if (missing > 0) this.#give(missing);
  }

  pause(): void {
    this.#paused = true;
  }

  resume(): void {
    this.#paused = false;
    this.#grantOwed();
  }

  #grantOwed(): void {
    if (this.#paused || this.#owed === 0) return;
    const permits = this.#owed;
    this.#owed = 0;
    this.#give(permits);
  }

  #give(permits: number): void {
    this.#available += permits;
    this.#grant(permits);
  }
}
