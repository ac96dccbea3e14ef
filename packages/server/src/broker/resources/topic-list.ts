import { crc32c, type TopicName } from "@pulsewire/protocol";
import type { MetadataStore } from "../../metadata/metadata-store.ts";
import { managedLedgerName, paths, topicOfLedger } from "./names.ts";

/** A persistent topic that came or went. */
export interface TopicListEvent {
  type: "created" | "deleted";
  topic: string;
}

/** The persistent topics there are, as their managed ledgers in the metadata store tell. */
export class TopicList {
  readonly #store: MetadataStore;

  constructor(store: MetadataStore) {
    this.#store = store;
  }

  /** Full names of a namespace's persistent topics, partitions one by one, sorted. */
  async list(namespace: string): Promise<string[]> {
    const names = await this.#store.children(paths.ledgers(namespace));
    return names.map((name) => topicOfLedger(namespace, name).toString()).sort();
  }

  exists(topic: TopicName): Promise<boolean> {
    return this.#store.exists(`/managed-ledgers/${managedLedgerName(topic)}`);
  }

  watch(namespace: string, listener: (event: TopicListEvent) => void): Disposable {
    const prefix = `${paths.ledgers(namespace)}/`;
    return this.#store.watch(prefix, ({ type, key }) => {
      const encoded = key.slice(prefix.length);
      if ((type !== "created" && type !== "deleted") || encoded.includes("/")) return;
      listener({ type, topic: topicOfLedger(namespace, encoded).toString() });
    });
  }
}

/** Pulsar's hash of a list of topics: CRC32C of the sorted names joined by commas, as little-endian hex. */
export function topicsHash(topics: readonly string[]): string {
  if (topics.length === 0) return "00000000";
  const crc = crc32c(new TextEncoder().encode([...topics].sort().join(",")));
  const hex = crc.toString(16).padStart(8, "0");
  return hex.slice(6, 8) + hex.slice(4, 6) + hex.slice(2, 4) + hex.slice(0, 2);
}
