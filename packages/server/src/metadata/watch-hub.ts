import type { MetadataEvent } from "./metadata-store.ts";

export type ChangeType = "created" | "modified" | "deleted";

interface Watch {
  prefix: string;
  listener: (event: MetadataEvent) => void;
  active: boolean;
}

/** The key directly above, `/` for a key at the top. */
export function parentOf(key: string): string {
  return key.slice(0, Math.max(1, key.lastIndexOf("/")));
}

/** Whether a key is a prefix's own or stands below it; `/a` does not cover `/ab`. */
function covers(prefix: string, key: string): boolean {
  if (!key.startsWith(prefix)) return false;
  return key.length === prefix.length || prefix.endsWith("/") || key.charCodeAt(prefix.length) === 47;
}

/**
 * Tells watches of changes, in order, in a microtask after the change: a listener that changes keys itself runs
 * outside of the change it was told of.
 */
export class WatchHub {
  readonly #watches = new Set<Watch>();
  #events: MetadataEvent[] = [];

  watch(prefix: string, listener: (event: MetadataEvent) => void): Disposable {
    const watch: Watch = { prefix, listener, active: true };
    this.#watches.add(watch);
    return {
      [Symbol.dispose]: () => {
        watch.active = false;
        this.#watches.delete(watch);
      },
    };
  }

  changed(type: ChangeType, key: string): void {
    if (this.#watches.size === 0) return;
    if (this.#events.length === 0) queueMicrotask(() => this.#tell());
    this.#events.push({ type, key });
    if (type !== "modified") this.#events.push({ type: "childrenChanged", key: parentOf(key) });
  }

  #tell(): void {
    const events = this.#events;
    this.#events = [];
    for (const event of events) {
      for (const watch of [...this.#watches]) {
        // a listener may have ended another's watch a moment ago
        if (watch.active && covers(watch.prefix, event.key)) watch.listener(event);
      }
    }
  }
}
