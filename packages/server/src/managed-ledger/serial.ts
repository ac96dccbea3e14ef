/** Runs pieces of work one after another, in the order they came. */
export class Serial {
  #tail: Promise<unknown> = Promise.resolve();

  run<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#tail.then(work);
    // whoever asked for it hears of a failure; the next piece is not concerned
    this.#tail = result.then(
      () => undefined,
      () => undefined,
    );
    return result;
  }
}
