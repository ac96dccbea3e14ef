import type { MemoryMetadata } from "../../../packages/server/src/metadata/index.ts";

interface Known {
  state: string;
  lastEntryId: number | undefined;
}

const RANK: Readonly<Record<string, number>> = { OPEN: 0, IN_RECOVERY: 1, CLOSED: 2 };

/** Follows every ledger's metadata and notes what must never happen to it. */
export class LedgerWatch {
  readonly #known = new Map<string, Known>();
  readonly #breaches: string[];
  readonly #watch: Disposable;

  constructor(metadata: MemoryMetadata, breaches: string[]) {
    this.#breaches = breaches;
    const session = metadata.session();
    this.#watch = session.watch("/ledgers", ({ type, key }) => {
      if (!/\/L\d+$/.test(key)) return;
      if (type === "created" && this.#known.has(key)) breaches.push(`${key} was made a second time`);
      if (type === "created" || type === "modified")
        void session.get(key).then(
          (found) => this.#look(key, found?.value),
          () => undefined,
        );
    });
  }

  [Symbol.dispose](): void {
    this.#watch[Symbol.dispose]();
  }

  #look(key: string, value: Uint8Array | undefined): void {
    if (value === undefined) return;
    const { state, lastEntryId } = JSON.parse(new TextDecoder().decode(value)) as Known;
    const before = this.#known.get(key);
    this.#known.set(key, { state, lastEntryId });
    if (before === undefined) return;
    if ((RANK[state] ?? -1) < (RANK[before.state] ?? -1))
      this.#breaches.push(`${key} went from ${before.state} to ${state}`);
    if (before.state === "CLOSED" && before.lastEntryId !== lastEntryId) {
      this.#breaches.push(`${key} was closed at ${before.lastEntryId}, and then at ${lastEntryId}`);
    }
  }
}
