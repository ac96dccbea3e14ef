import { ManualClock } from "@pulsewire/runtime";
import { beforeEach, describe, expect, it } from "vitest";
import { createMemoryMetadata, type MemoryMetadata, MetadataError, type MetadataStore } from "../../metadata/index.ts";
import { bundlesOf } from "./bundle.ts";
import { BundleOwnership } from "./bundle-ownership.ts";

let clock: ManualClock;
let metadata: MemoryMetadata;
/** What becomes of the calls of the broker under test. */
let fate: "answered" | "lost" | "answer lost";
let ours: BundleOwnership;
let other: BundleOwnership;

const [bundle] = bundlesOf("public/default", ["0x00000000", "0xffffffff"]) as [ReturnType<typeof bundlesOf>[number]];
const urlsOf = (brokerId: string) => ({
  brokerId,
  serviceUrl: `pulsar://${brokerId}`,
  serviceUrlTls: undefined,
  webServiceUrl: `http://${brokerId}`,
  webServiceUrlTls: undefined,
});

/** A session whose calls may get lost, before they are done or after. */
function unreliable(session: MetadataStore): MetadataStore {
  const call = async <T>(done: () => Promise<T>): Promise<T> => {
    if (fate === "lost") throw new MetadataError("Unavailable", "the call was lost");
    const result = await done();
    if (fate === "answer lost") throw new MetadataError("Unavailable", "the answer was lost");
    return result;
  };
  return {
    sessionId: session.sessionId,
    get: (key) => session.get(key),
    exists: (key) => session.exists(key),
    children: (key) => session.children(key),
    put: (key, value, options) => call(() => session.put(key, value, options)),
    delete: (key, version) => call(() => session.delete(key, version)),
    nextSequence: (key) => session.nextSequence(key),
    watch: (prefix, listener) => session.watch(prefix, listener),
    onSessionExpired: (listener) => session.onSessionExpired(listener),
    close: () => session.close(),
  };
}

beforeEach(() => {
  fate = "answered";
  clock = new ManualClock();
  metadata = createMemoryMetadata({ clock });
  ours = new BundleOwnership(unreliable(metadata.session()), urlsOf("ours"), clock);
  other = new BundleOwnership(metadata.session(), urlsOf("other"), clock);
});

describe("a bundle", () => {
  it("is taken again by the broker that was not told that it has it", async () => {
    fate = "answer lost";
    await expect(ours.acquire(bundle)).rejects.toMatchObject({ code: "Unavailable" });
    expect(ours.owns(bundle)).toBe(false);
    expect(await other.acquire(bundle)).toMatchObject({ brokerId: "ours", disabled: false });
    fate = "answered";
    expect(await ours.acquire(bundle)).toMatchObject({ brokerId: "ours", disabled: false });
    expect(ours.owns(bundle)).toBe(true);
  });

  it.each(["lost", "answer lost"] as const)("stays owned when it could not be disabled: %s", async (how) => {
    await ours.acquire(bundle);
    fate = how;
    await expect(ours.disable(bundle)).rejects.toMatchObject({ code: "Unavailable" });
    expect(ours.owns(bundle)).toBe(true);
    await clock.advance(3_000);
    fate = "answered";
    await clock.advance(1_000);
    expect(await other.ownerOf(bundle)).toMatchObject({ brokerId: "ours", disabled: false });
  });

  it.each(["lost", "answer lost"] as const)("is free in the end though it could not be released: %s", async (how) => {
    await ours.acquire(bundle);
    await ours.disable(bundle);
    fate = how;
    await expect(ours.release(bundle)).rejects.toMatchObject({ code: "Unavailable" });
    if (how === "lost") {
      expect(await ours.acquire(bundle)).toMatchObject({ brokerId: "ours", disabled: true });
      expect(await other.acquire(bundle)).toMatchObject({ brokerId: "ours", disabled: true });
    }
    await clock.advance(3_000);
    fate = "answered";
    await clock.advance(1_000);
    expect(await other.acquire(bundle)).toMatchObject({ brokerId: "other", disabled: false });
    expect(await ours.ownerOf(bundle)).toMatchObject({ brokerId: "other" });
  });

  it.each(["close", "forgetAll"] as const)("is left alone after %s", async (end) => {
    await ours.acquire(bundle);
    const before = clock.pendingTimers;
    fate = "lost";
    await expect(ours.release(bundle)).rejects.toMatchObject({ code: "Unavailable" });
    expect(clock.pendingTimers).toBe(before + 1);
    ours[end]();
    expect(clock.pendingTimers).toBe(before);
  });
});
