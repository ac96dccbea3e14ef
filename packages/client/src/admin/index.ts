import { createNodeClientRuntime } from "@pulsewire/runtime/node";
import type { AdminOptions } from "./admin-options.ts";
import { CoreAdmin } from "./core-admin.ts";

export * from "./public-names.ts";

/**
 * Administers a Pulsar cluster over its REST API. Every call rejects with an AdminError where the cluster refuses, and
 * with a PulsarError where it does not answer. Nothing is kept open: there is nothing to close.
 *
 * @example
 * const admin = new PulsarAdmin({ serviceUrl: "http://localhost:8080" });
 * await admin.topics.createPartitioned("persistent://public/default/orders", 4);
 */
export class PulsarAdmin extends CoreAdmin {
  /** Throws a PulsarError for a wrong option. */
  constructor(options: AdminOptions) {
    super(options, createNodeClientRuntime());
  }
}
