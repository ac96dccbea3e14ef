import { from, lastValueFrom, Subject, toArray } from "rxjs";
import { describe, expect, it } from "vitest";
import { open } from "../testing/rxjs-fixture.ts";
import { mergeMapByKey } from "./index.ts";

describe("mergeMapByKey", () => {
  it("does a long queue of work that is done at once without overflowing the stack", async () => {
    await open();
    const values = Array.from({ length: 50_000 }, (_, i) => i);
    const out = await lastValueFrom(
      from(values).pipe(
        mergeMapByKey((n) => [n], { keyOf: () => "one" }),
        toArray(),
      ),
    );
    expect(out).toEqual(values);
  });

  it("passes errors on, and stops what runs when its subscriber leaves", async () => {
    await open();
    const failing = from([1]).pipe(
      mergeMapByKey(() => Promise.reject(new Error("no")), { keyOf: (n) => n, concurrency: 1 }),
    );
    await expect(lastValueFrom(failing)).rejects.toThrow("no");
    const inner = new Subject<number>();
    const subscription = from([1])
      .pipe(mergeMapByKey(() => inner, { keyOf: (n) => n }))
      .subscribe();
    expect(inner.observed).toBe(true);
    subscription.unsubscribe();
    expect(inner.observed).toBe(false);
  });
});
