import type { NodeId } from "@pulsewire/runtime";
import type { MemoryMetadata, MetadataStore } from "../../metadata/index.ts";
import { checkNothing } from "./fault-arguments.ts";
import { type FaultLinks, undoing } from "./fault-links.ts";
import { METADATA_NODE } from "./gated-metadata.ts";

export interface MetadataFaultsOptions {
  metadata: MemoryMetadata;
  links: FaultLinks;
  sessionOf: (node: NodeId) => MetadataStore;
}

/** Makes the metadata store fail: `cluster.faults.metadata`. */
export class MetadataFaults {
  readonly #options: MetadataFaultsOptions;
  #away = 0;

  constructor(options: MetadataFaultsOptions) {
    this.#options = options;
  }

  /** Every call of every node takes so much longer, in ms, until it is undone. */
  slow(delayMs: number): Disposable {
    checkDelay(delayMs);
    return this.#options.links.slow(METADATA_NODE, delayMs);
  }

  /** Every call fails until it is undone. No session expires meanwhile. */
  unavailable(...nothing: readonly []): Disposable {
    checkNothing("unavailable", nothing);
    const { metadata } = this.#options;
    this.#away++;
    metadata.available = false;
    return undoing(() => {
      this.#away--;
      metadata.available = this.#away === 0;
    });
  }

  /** A node's session ends now, as it would after 30 s without a sign of it. @throws TypeError when there is no such node. */
  expireSession(node: NodeId): void {
    const { metadata, sessionOf } = this.#options;
    metadata.expire(sessionOf(node));
  }
}

/** @throws TypeError where it is no time. */
export function checkDelay(delayMs: number): void {
  if (typeof delayMs === "number" && delayMs >= 0 && delayMs < Number.POSITIVE_INFINITY) return;
  throw new TypeError(`delayMs takes a number from 0 on, not ${String(delayMs)}`);
}
