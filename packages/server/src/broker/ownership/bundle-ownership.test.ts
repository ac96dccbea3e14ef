import { ManualClock } from "@pulsewire/runtime";
import { beforeEach, describe, expect, it } from "vitest";
import { createMemoryMetadata, type MemoryMetadata } from "../../metadata/index.ts";
import { UnreliableMetadata } from "../../metadata/unreliable-metadata-fixture.ts";
import { bundlesOf } from "./bundle.ts";
import { BundleOwnership } from "./bundle-ownership.ts";

let clock: ManualClock;
let metadata: MemoryMetadata;
let session: UnreliableMetadata;
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

beforeEach(() => {
  clock = new ManualClock();
  metadata = createMemoryMetadata({ clock });
  session = new UnreliableMetadata(metadata.session());
  ours = new BundleOwnership(session, urlsOf("ours"), clock);
  other = new BundleOwnership(metadata.session(), urlsOf("other"), clock);
});

describe("a bundle", () => {
  it("is taken again by the broker that was not told that it has it", async () => {
    session.changes = "answer lost";
    await expect(ours.acquire(bundle)).rejects.toMatchObject({ code: "Unavailable" });
    expect(ours.owns(bundle)).toBe(false);
    expect(await other.acquire(bundle)).toMatchObject({ brokerId: "ours", disabled: false });
    session.changes = "answered";
    expect(await ours.acquire(bundle)).toMatchObject({ brokerId: "ours", disabled: false });
    expect(ours.owns(bundle)).toBe(true);
  });

  it.each(["lost", "answer lost"] as const)("stays owned when it could not be disabled: %s", async (how) => {
    await ours.acquire(bundle);
    session.changes = how;
    await expect(ours.disable(bundle)).rejects.toMatchObject({ code: "Unavailable" });
    expect(ours.owns(bundle)).toBe(true);
    await clock.advance(3_000);
    session.changes = "answered";
    await clock.advance(1_000);
    expect(await other.ownerOf(bundle)).toMatchObject({ brokerId: "ours", disabled: false });
  });

  it.each(["lost", "answer lost"] as const)("is free in the end though it could not be released: %s", async (how) => {
    await ours.acquire(bundle);
    await ours.disable(bundle);
    session.changes = how;
    await expect(ours.release(bundle)).rejects.toMatchObject({ code: "Unavailable" });
    if (how === "lost") {
      expect(await ours.acquire(bundle)).toMatchObject({ brokerId: "ours", disabled: true });
      expect(await other.acquire(bundle)).toMatchObject({ brokerId: "ours", disabled: true });
    }
    await clock.advance(3_000);
    session.changes = "answered";
    await clock.advance(1_000);
    expect(await other.acquire(bundle)).toMatchObject({ brokerId: "other", disabled: false });
    expect(await ours.ownerOf(bundle)).toMatchObject({ brokerId: "other" });
  });

  it.each(["close", "forgetAll"] as const)("is left alone after %s", async (end) => {
    await ours.acquire(bundle);
    const before = clock.pendingTimers;
    session.changes = "lost";
    await expect(ours.release(bundle)).rejects.toMatchObject({ code: "Unavailable" });
    expect(clock.pendingTimers).toBe(before + 1);
    ours[end]();
    expect(clock.pendingTimers).toBe(before);
  });
});
