/** Something that is to happen. `order` decides between events of one time: first asked, first done. */
export interface ScheduledEvent {
  dueMs: number;
  order: number;
  cancelled: boolean;
  run: () => void;
}

function before(a: ScheduledEvent, b: ScheduledEvent): boolean {
  return a.dueMs < b.dueMs || (a.dueMs === b.dueMs && a.order < b.order);
}

/** Events by time, in a binary heap. */
export class EventHeap<E extends ScheduledEvent = ScheduledEvent> {
  readonly #events: E[] = [];

  get size(): number {
    return this.#events.length;
  }

  peek(): E | undefined {
    return this.#events[0];
  }

  push(event: E): void {
    const events = this.#events;
    let at = events.length;
    events.push(event);
    while (at > 0) {
      const parent = (at - 1) >> 1;
      const above = events[parent] as E;
      if (!before(event, above)) break;
      events[at] = above;
      at = parent;
    }
    events[at] = event;
  }

  pop(): E | undefined {
    const events = this.#events;
    const first = events[0];
    const last = events.pop();
    if (first === undefined || last === undefined || first === last) return first;
    this.#sink(last);
    return first;
  }

  /** Puts an event at the top and lets it down to where it belongs. */
  #sink(event: E): void {
    const events = this.#events;
    let at = 0;
    for (;;) {
      let child = 2 * at + 1;
      if (child >= events.length) break;
      if (child + 1 < events.length && before(events[child + 1] as E, events[child] as E)) child++;
      const below = events[child] as E;
      if (!before(below, event)) break;
      events[at] = below;
      at = child;
    }
    events[at] = event;
  }
}
