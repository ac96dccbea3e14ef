/**
 * The permits of one consumer at its broker: how many messages it may still push. With a receiver queue, what was taken
 * out of it is granted again when it makes half of the queue; without one, exactly what is asked for is granted. A queue
 * that scales starts at 1 and doubles whenever the broker has used all its permits and the application has taken all.
 */
export class Permits {
  readonly #sizeMax: number;
  #queueSize: number;
  /** The broker has used all its permits since the queue last grew. */
  #exhausted = false;
  /** What has come and was not taken. */
  #queued = 0;
  readonly #grant: (permits: number) => void;
  #paused: boolean;
  /** What the broker has left; below 0 after a batch larger than what it had. */
  #available = 0;
  /** What may be granted again. */
  #owed = 0;

  constructor(queueSize: number, scales: boolean, paused: boolean, grant: (permits: number) => void) {
    this.#sizeMax = queueSize;
    this.#queueSize = scales ? Math.min(1, queueSize) : queueSize;
    this.#paused = paused;
    this.#grant = grant;
  }

  /** How many messages are fetched ahead at most, for now. */
  get queueSize(): number {
    return this.#queueSize;
  }

  /** A new attachment starts without permits. */
  onAttached(): void {
    this.#available = 0;
    this.#queued = 0;
    this.#owed = this.#queueSize;
    this.#grantOwed();
  }

  /** The broker has pushed messages. */
  onReceived(messages: number): void {
    this.#available -= messages;
    this.#queued += messages;
    if (this.#available <= 0) this.#exhausted = true;
  }

  /** Messages have left the queue. */
  onReleased(messages: number): void {
    if (this.#queueSize === 0) return;
    this.#owed += messages;
    this.#queued -= messages;
    if (this.#exhausted && this.#queued <= 0 && this.#queueSize < this.#sizeMax) this.#grow();
    if (this.#owed >= this.#queueSize >> 1) this.#grantOwed();
  }

  /** Messages that had left the queue are in it again. What was granted for them is taken off what is granted next. */
  onReturned(messages: number): void {
    if (this.#queueSize === 0) return;
    this.#owed -= messages;
    this.#queued += messages;
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

  #grow(): void {
    const before = this.#queueSize;
    this.#queueSize = Math.min(this.#sizeMax, before * 2);
    this.#owed += this.#queueSize - before;
    this.#exhausted = false;
  }

  #grantOwed(): void {
    if (this.#paused || this.#owed <= 0) return;
    const permits = this.#owed;
    this.#owed = 0;
    this.#give(permits);
  }

  #give(permits: number): void {
    this.#available += permits;
    this.#grant(permits);
  }
}
