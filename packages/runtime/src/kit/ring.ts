/** A first-in first-out queue over a ring that grows by doubling: no shifting, no holes. */
export class Ring<T> {
  #items: (T | undefined)[] = new Array(16);
  #head = 0;
  #length = 0;

  get length(): number {
    return this.#length;
  }

  push(item: T): void {
    if (this.#length === this.#items.length) this.#grow();
    this.#items[(this.#head + this.#length) & (this.#items.length - 1)] = item;
    this.#length++;
  }

  /** Puts an item before the first. */
  unshift(item: T): void {
    if (this.#length === this.#items.length) this.#grow();
    this.#head = (this.#head - 1) & (this.#items.length - 1);
    this.#items[this.#head] = item;
    this.#length++;
  }

  shift(): T | undefined {
    if (this.#length === 0) return undefined;
    const item = this.#items[this.#head];
    this.#items[this.#head] = undefined;
    this.#head = (this.#head + 1) & (this.#items.length - 1);
    this.#length--;
    return item;
  }

  /** The item `index` places behind the first. */
  at(index: number): T | undefined {
    if (index < 0 || index >= this.#length) return undefined;
    return this.#items[(this.#head + index) & (this.#items.length - 1)];
  }

  clear(): void {
    this.#items = new Array(16);
    this.#head = 0;
    this.#length = 0;
  }

  *[Symbol.iterator](): IterableIterator<T> {
    for (let i = 0; i < this.#length; i++) yield this.at(i) as T;
  }

  #grow(): void {
    const bigger: (T | undefined)[] = new Array(this.#items.length * 2);
    for (let i = 0; i < this.#length; i++) bigger[i] = this.at(i);
    this.#items = bigger;
    this.#head = 0;
  }
}
