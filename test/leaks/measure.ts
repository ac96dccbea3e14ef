/** What a process holds. */
export interface Holdings {
  /** Bytes on the heap and outside it after a collection. */
  readonly bytes: number;
  /** What keeps the event loop alive, by kind. */
  readonly handles: ReadonlyMap<string, number>;
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Collects garbage until that frees no more, and counts. Needs `--expose-gc`. */
export async function holdings(): Promise<Holdings> {
  const collect = globalThis.gc;
  if (collect === undefined) throw new Error("run with --expose-gc");
  let bytes = Number.POSITIVE_INFINITY;
  for (let round = 0; round < 10; round++) {
    for (let i = 0; i < 3; i++) await turn();
    collect();
    const { heapUsed, external } = process.memoryUsage();
    if (bytes - (heapUsed + external) < 10_000) break;
    bytes = heapUsed + external;
  }
  const handles = new Map<string, number>();
  for (const kind of process.getActiveResourcesInfo()) handles.set(kind, (handles.get(kind) ?? 0) + 1);
  return { bytes, handles };
}

/** The handles that are there now and were not before, as text; empty when there are none. */
export function moreHandles(before: Holdings, after: Holdings): string {
  const more: string[] = [];
  for (const [kind, count] of after.handles) {
    const had = before.handles.get(kind) ?? 0;
    if (count > had) more.push(`${count - had} ${kind}`);
  }
  return more.join(", ");
}

export function megabytes(bytes: number): string {
  return `${(bytes / 1_048_576).toFixed(1)} MB`;
}
