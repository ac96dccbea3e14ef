import type { ClientRuntime } from "@pulsewire/runtime";
import { describe, oneOf } from "../check-options.ts";
import { InvalidConfigurationError } from "../errors.ts";
import { AdminHttp, type AdminRequest, type Method } from "./admin-http.ts";
import { type AdminOptions, resolveAdminOptions } from "./admin-options.ts";
import { Bookies, Brokers, Lookups } from "./brokers.ts";
import { Clusters } from "./clusters.ts";
import { Namespaces } from "./namespaces.ts";
import { Schemas } from "./schemas.ts";
import { Subscriptions } from "./subscriptions.ts";
import { Tenants } from "./tenants.ts";
import { Topics } from "./topics.ts";

const METHODS: readonly Method[] = ["GET", "PUT", "POST", "DELETE"];

/** An admin client on a platform that it is given. `PulsarAdmin` of the entry brings the platform's own. */
export class CoreAdmin {
  readonly clusters: Clusters;
  readonly tenants: Tenants;
  readonly namespaces: Namespaces;
  readonly topics: Topics;
  readonly subscriptions: Subscriptions;
  readonly schemas: Schemas;
  readonly brokers: Brokers;
  readonly bookies: Bookies;
  readonly lookup: Lookups;
  readonly #http: AdminHttp;

  constructor(options: AdminOptions, platform: ClientRuntime) {
    const runtime = { ...platform, ...options?.runtime };
    const http = new AdminHttp(runtime.network, resolveAdminOptions(options, runtime));
    this.#http = http;
    this.clusters = new Clusters(http);
    this.tenants = new Tenants(http);
    this.namespaces = new Namespaces(http);
    this.topics = new Topics(http);
    this.subscriptions = new Subscriptions(http);
    this.schemas = new Schemas(http);
    this.brokers = new Brokers(http);
    this.bookies = new Bookies(http);
    this.lookup = new Lookups(http);
  }

  /**
   * Any other request, for what has no method here: `path` begins with a slash and is sent as it is. Answers the JSON,
   * undefined for an empty answer, and text that is no JSON (a version, say) as it is. Rejects as every call does.
   */
  async request<T = unknown>(method: Method, path: string, request: AdminRequest = {}): Promise<T> {
    oneOf("method", method, METHODS, "GET");
    if (typeof path !== "string" || !path.startsWith("/")) {
      throw new InvalidConfigurationError(`request takes a path that begins with a slash, not ${describe(path)}`);
    }
    return (await this.#http.any(method, path, request)) as T;
  }
}
