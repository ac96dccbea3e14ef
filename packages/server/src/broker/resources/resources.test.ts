import { SchemaType, ServerError, TopicName } from "@pulsewire/protocol";
import { ManualClock } from "@pulsewire/runtime";
import { beforeEach, describe, expect, it } from "vitest";
import { createMemoryMetadata, type MetadataStore } from "../../metadata/index.ts";
import { parseSettings } from "../broker-settings.ts";
import { effectivePolicies } from "./effective-policies.ts";
import { JsonResource } from "./json-resource.ts";
import { decodeName, encodeName, managedLedgerName } from "./names.ts";
import { bundleBoundaries } from "./policies.ts";
import { bootstrapResources, newPolicies, Resources } from "./resources.ts";
import { topicsHash } from "./topic-list.ts";

let store: MetadataStore;
let resources: Resources;
beforeEach(async () => {
  const clock = new ManualClock();
  store = createMemoryMetadata({ clock }).session();
  resources = new Resources(store, clock);
  await bootstrapResources(resources, "standalone", 4);
});

describe("names", () => {
  it.each([
    ["t1:t1", "t1%3At1"],
    ["a b", "a+b"],
    ["a+b", "a%2Bb"],
    ["a*b-c_d.e", "a*b-c_d.e"],
    ["(x)!'~", "%28x%29%21%27%7E"],
    ["grüße/1", "gr%C3%BC%C3%9Fe%2F1"],
  ])("are encoded as Java does it: %s as %s, and back", (name, encoded) => {
    expect(encodeName(name)).toBe(encoded);
    expect(decodeName(encoded)).toBe(name);
  });

  it("name managed ledgers by namespace, domain and encoded topic", () => {
    expect(managedLedgerName(TopicName.parse("persistent://a/b/c:d-partition-1"))).toBe(
      "a/b/persistent/c%3Ad-partition-1",
    );
  });
});

describe("a JSON resource", () => {
  it("loses no update of two that change the same value at once", async () => {
    const json = new JsonResource<{ n: number }>(store);
    await json.create("/x", { n: 0 });
    const add = (): Promise<unknown> => json.update("/x", ({ n }) => ({ n: n + 1 }));
    await Promise.all(Array.from({ length: 10 }, add));
    expect(await json.get("/x")).toEqual({ n: 10 });
  });

  it("says what is there already, what is not there, and what is no JSON", async () => {
    const json = new JsonResource<{ n: number }>(store);
    await json.create("/x", { n: 0 });
    await expect(json.create("/x", { n: 1 })).rejects.toMatchObject({ code: "AlreadyExists" });
    await expect(json.update("/y", (v) => v)).rejects.toMatchObject({ code: "NotFound" });
    await expect(json.delete("/y")).rejects.toMatchObject({ code: "NotFound" });
    await store.put("/z", new TextEncoder().encode("{"));
    await expect(json.get("/z")).rejects.toMatchObject({ code: "Invalid" });
  });
});

describe("tenants and namespaces", () => {
  it("stay as they are when a cluster starts over them", async () => {
    await resources.namespaces.update("public/default", (p) => ({ ...p, deduplicationEnabled: true }));
    await bootstrapResources(resources, "standalone", 4);
    expect((await resources.namespaces.get("public/default"))?.deduplicationEnabled).toBe(true);
  });

  it("keep a tenant that has namespaces", async () => {
    await expect(resources.tenants.delete("public")).rejects.toMatchObject({ code: "Conflict" });
    await resources.tenants.create("acme", { adminRoles: ["a"], allowedClusters: ["standalone"] });
    await resources.tenants.delete("acme");
    expect(await resources.tenants.list()).toEqual(["public", "pulsar"]);
  });

  it("tell of changes", async () => {
    const heard: string[] = [];
    using _watch = resources.namespaces.watch((namespace) => heard.push(namespace));
    await resources.namespaces.create("public/new", newPolicies("standalone", 2));
    await resources.namespaces.delete("public/new");
    await Promise.resolve();
    expect(heard).toEqual(["public/new", "public/new"]);
  });

  it("divide the hash space evenly", () => {
    expect(bundleBoundaries(4)).toEqual(["0x00000000", "0x40000000", "0x80000000", "0xc0000000", "0xffffffff"]);
    expect(bundleBoundaries(1)).toEqual(["0x00000000", "0xffffffff"]);
  });
});

describe("partitioned topics", () => {
  const topic = TopicName.parse("t");

  it("have partitions, and can only get more", async () => {
    expect(await resources.partitionedTopics.partitions(topic)).toBe(0);
    await resources.partitionedTopics.create(topic, 3);
    await resources.partitionedTopics.grow(topic, 4);
    await expect(resources.partitionedTopics.grow(topic, 4)).rejects.toMatchObject({ code: "Invalid" });
    expect(await resources.partitionedTopics.partitions(topic)).toBe(4);
    expect(await resources.partitionedTopics.list("public/default")).toEqual(["persistent://public/default/t"]);
  });

  it("are refused under the name of a partition", async () => {
    const partition = TopicName.parse("x-partition-2");
    await expect(resources.partitionedTopics.create(partition, 3)).rejects.toMatchObject({ code: "Invalid" });
  });
});

describe("effective policies", () => {
  const settings = parseSettings({ maxProducersPerTopic: 7, brokerDeduplicationEnabled: "true" });

  it("take a topic's own before its namespace's before the broker's", () => {
    const namespace = { ...newPolicies("c", 4), max_producers_per_topic: 5, deduplicationEnabled: false };
    expect(effectivePolicies(settings, undefined, undefined).maxProducers).toBe(7);
    expect(effectivePolicies(settings, namespace, undefined).maxProducers).toBe(5);
    expect(effectivePolicies(settings, namespace, { max_producers_per_topic: 2 }).maxProducers).toBe(2);
    expect(effectivePolicies(settings, undefined, undefined).deduplicationEnabled).toBe(true);
    expect(effectivePolicies(settings, namespace, undefined).deduplicationEnabled).toBe(false);
  });

  it("share a partitioned topic's policies among its partitions", async () => {
    await resources.topicPolicies.update(TopicName.parse("t"), (p) => ({ ...p, max_producers_per_topic: 1 }));
    expect(await resources.topicPolicies.get(TopicName.parse("t-partition-3"))).toEqual({ max_producers_per_topic: 1 });
  });
});

describe("the hash of a topic list", () => {
  it.each([
    [[], "00000000"],
    // as a real broker answered them
    [["persistent://public/default/b1795989789001", "persistent://public/default/b1795989789001sc"], "57ea57ce"],
    [["persistent://public/default/b1795989789001sc", "persistent://public/default/b1795989789001"], "57ea57ce"],
  ])("of %o is %s", (topics, hash) => {
    expect(topicsHash(topics)).toBe(hash);
  });
});

describe("the schema registry", () => {
  const topic = TopicName.parse("t");
  const text = { type: SchemaType.String, data: new Uint8Array(0), properties: { a: "b" } };

  it("keeps bytes and properties, and one version for what is the same", async () => {
    const bytes = { ...text, type: SchemaType.ProtobufNative, data: Uint8Array.from([0, 255, 128, 10]) };
    expect(await resources.schemas.add(topic, bytes, "FULL")).toBe(0);
    expect(await resources.schemas.add(topic, bytes, "FULL")).toBe(0);
    expect(await resources.schemas.get(topic)).toMatchObject({ version: 0, data: bytes.data, properties: { a: "b" } });
  });

  it("gives concurrent additions different versions", async () => {
    const schemas = Array.from({ length: 5 }, (_, i) => ({ ...text, data: Uint8Array.of(i) }));
    const versions = await Promise.all(schemas.map((s) => resources.schemas.add(topic, s, "ALWAYS_COMPATIBLE")));
    expect(versions.sort()).toEqual([0, 1, 2, 3, 4]);
  });

  it("forgets versions before a deletion and counts on", async () => {
    await resources.schemas.add(topic, text, "FULL");
    expect(await resources.schemas.delete(topic)).toBe(1);
    expect(await resources.schemas.get(topic)).toBeUndefined();
    expect(await resources.schemas.add(topic, { ...text, type: SchemaType.Int32 }, "FULL")).toBe(2);
  });

  it("is shared by the partitions of a topic", async () => {
    await resources.schemas.add(TopicName.parse("t-partition-0"), text, "FULL");
    expect(await resources.schemas.get(TopicName.parse("t-partition-1"))).toMatchObject({ version: 0 });
  });

  it("refuses a change under ALWAYS_INCOMPATIBLE", async () => {
    await resources.schemas.add(topic, text, "FULL");
    const change = resources.schemas.add(topic, { ...text, data: Uint8Array.of(1) }, "ALWAYS_INCOMPATIBLE");
    await expect(change).rejects.toMatchObject({ code: ServerError.IncompatibleSchema });
  });
});
