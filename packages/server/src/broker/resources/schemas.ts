import { ServerError, TopicName } from "@pulsewire/protocol";
import type { Clock } from "@pulsewire/runtime";
import type { MetadataStore } from "../../metadata/metadata-store.ts";
import { BrokerError } from "../broker-error.ts";
import { JsonResource } from "./json-resource.ts";
import { paths } from "./names.ts";
import type { SchemaCompatibilityStrategy } from "./policies.ts";
import { whyIncompatible, whyInvalid } from "./schema-compatibility.ts";
import type { SchemaInfo, SchemaVersion } from "./schema-info.ts";

interface StoredVersion {
  version: number;
  type: number;
  /** Latin-1 text, one character a byte, in base64. */
  data: string;
  properties: Record<string, string>;
  timestamp: number;
  deleted: boolean;
}

/**
 * The schema registry: versions of a topic's schema, at `/schemas/...`. Partitions share their topic's schema.
 * Rejects with a BrokerError (IncompatibleSchema) or a ResourceError.
 */
export class Schemas {
  readonly #json: JsonResource<StoredVersion[]>;
  readonly #clock: Clock;

  constructor(store: MetadataStore, clock: Clock) {
    this.#json = new JsonResource(store);
    this.#clock = clock;
  }

  /** The versions that count: those since the last deletion. */
  async versions(topic: TopicName): Promise<SchemaVersion[]> {
    const stored = (await this.#json.get(pathOf(topic))) ?? [];
    return live(stored).map(decodeStored);
  }

  /** The latest version, or a given one; undefined when there is none. */
  async get(topic: TopicName, version?: number): Promise<SchemaVersion | undefined> {
    const versions = await this.versions(topic);
    return version === undefined ? versions.at(-1) : versions.find((v) => v.version === version);
  }

  /** Adds a schema, or finds it among the versions. Answers its version. */
  async add(topic: TopicName, schema: SchemaInfo, strategy: SchemaCompatibilityStrategy): Promise<number> {
    const invalid = whyInvalid(schema);
    if (invalid !== undefined) throw incompatible(invalid);
    // the usual case, a schema that is there already, writes nothing
    const found = findSame(await this.versions(topic), schema);
    if (found !== undefined) return found;
    let added = -1;
    await this.#json.update(
      pathOf(topic),
      (stored) => {
        const versions = live(stored).map(decodeStored);
        const same = findSame(versions, schema);
        added = same ?? (stored.at(-1)?.version ?? -1) + 1;
        if (same !== undefined) return stored;
        const why = whyIncompatible(versions, schema, strategy);
        if (why !== undefined) throw incompatible(why);
        return [...stored, this.#encode(added, schema)];
      },
      [],
    );
    return added;
  }

  /** Answers the version a consumer's schema agrees with; rejects where it agrees with none. */
  async check(topic: TopicName, schema: SchemaInfo, strategy: SchemaCompatibilityStrategy): Promise<void> {
    const versions = await this.versions(topic);
    if (findSame(versions, schema) !== undefined) return;
    const why = whyInvalid(schema) ?? whyIncompatible(versions, schema, strategy);
    if (why !== undefined) throw incompatible(why);
  }

  /** Marks the schema deleted; numbers go on. Answers the version of the deletion, or undefined without a schema. */
  async delete(topic: TopicName): Promise<number | undefined> {
    const path = pathOf(topic);
    if (!(await this.#json.exists(path))) return undefined;
    let version = 0;
    await this.#json.update(path, (stored) => {
      version = (stored.at(-1)?.version ?? -1) + 1;
      const mark = this.#encode(version, { type: 0, data: new Uint8Array(0), properties: {} });
      return [...stored, { ...mark, deleted: true }];
    });
    return version;
  }

  /** Forgets all versions, with the topic. */
  async purge(topic: TopicName): Promise<void> {
    const path = pathOf(topic);
    if (await this.#json.exists(path)) await this.#json.delete(path);
  }

  #encode(version: number, schema: SchemaInfo): StoredVersion {
    return {
      version,
      type: schema.type,
      data: toBase64(schema.data),
      properties: { ...schema.properties },
      timestamp: this.#clock.now(),
      deleted: false,
    };
  }
}

function pathOf(topic: TopicName): string {
  return paths.schema(topic.partitionIndex < 0 ? topic : TopicName.parse(topic.partitionedTopicName));
}

function incompatible(why: string): BrokerError {
  return new BrokerError(ServerError.IncompatibleSchema, why);
}

function live(stored: readonly StoredVersion[]): readonly StoredVersion[] {
  return stored.slice(stored.findLastIndex((s) => s.deleted) + 1);
}

function findSame(versions: readonly SchemaVersion[], schema: SchemaInfo): number | undefined {
  return versions.find((v) => v.type === schema.type && sameBytes(v.data, schema.data))?.version;
}

function sameBytes(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, i) => byte === b[i]);
}

function decodeStored(stored: StoredVersion): SchemaVersion {
  const { version, type, properties, deleted } = stored;
  return { version, type, properties, deleted, data: fromBase64(stored.data), timestampMs: stored.timestamp };
}

function toBase64(bytes: Uint8Array): string {
  let text = "";
  for (const byte of bytes) text += String.fromCharCode(byte);
  return btoa(text);
}

function fromBase64(text: string): Uint8Array {
  return Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
}
