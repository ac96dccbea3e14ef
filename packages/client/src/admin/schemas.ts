import { wholeNumber } from "../check-options.ts";
import { type AdminHttp, flagged, type RequestOptions } from "./admin-http.ts";
import { topicPathWithoutDomain } from "./paths.ts";

/** A schema as the registry takes it. `type` is Pulsar's name, such as `AVRO`, `JSON` or `STRING`. */
export interface SchemaPayload {
  type: string;
  schema: string;
  properties?: Readonly<Record<string, string>>;
}

/** A schema as the registry has it. */
export interface StoredSchema {
  readonly version: number;
  readonly type: string;
  readonly timestamp: number;
  readonly data: string;
  readonly properties: Readonly<Record<string, string>>;
}

/** `/admin/v2/schemas`. */
export class Schemas {
  readonly #http: AdminHttp;

  /** @internal */
  constructor(http: AdminHttp) {
    this.#http = http;
  }

  /** The latest version, or the one asked for. */
  get(topic: string, version?: number, options?: RequestOptions): Promise<StoredSchema> {
    const which = version === undefined ? "" : `/${wholeNumber("version", version, 0)}`;
    return this.#http.json("GET", `${pathOf(topic)}/schema${which}`, options);
  }

  /** Every version, oldest first. */
  async list(topic: string, options?: RequestOptions): Promise<StoredSchema[]> {
    const path = `${pathOf(topic)}/schemas`;
    return (await this.#http.json<{ getSchemaResponses: StoredSchema[] }>("GET", path, options)).getSchemaResponses;
  }

  /** Stores a version; answers its number, that of an equal one where there is one. */
  async post(topic: string, schema: SchemaPayload, options?: RequestOptions): Promise<number> {
    const body = { properties: {}, ...schema };
    const answer = await this.#http.json<unknown>("POST", `${pathOf(topic)}/schema`, { ...options, body });
    return versionIn(answer);
  }

  /** Whether a schema could be stored. */
  async isCompatible(topic: string, schema: SchemaPayload, options?: RequestOptions): Promise<boolean> {
    const body = { properties: {}, ...schema };
    const path = `${pathOf(topic)}/compatibility`;
    const answer = await this.#http.json<Record<string, unknown>>("POST", path, { ...options, body });
    return answer.compatibility === true || answer.isCompatibility === true;
  }

  delete(topic: string, options?: RequestOptions & { force?: boolean }): Promise<void> {
    return this.#http.done("DELETE", `${pathOf(topic)}/schema`, flagged("delete", options, { force: undefined }));
  }
}

function pathOf(topic: string): string {
  return `/admin/v2/schemas/${topicPathWithoutDomain(topic)}`;
}

/** Brokers answer `{version: {version: n}}`, or `{version: n}`. */
function versionIn(answer: unknown): number {
  const version = (answer as { version?: unknown } | undefined)?.version;
  return typeof version === "object" ? versionIn(version) : Number(version ?? -1);
}
