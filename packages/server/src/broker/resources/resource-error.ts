/** Why a resource could not be read or changed. */
export type ResourceErrorCode = "NotFound" | "AlreadyExists" | "Conflict" | "Invalid" | "Unavailable";

/** An operation on tenants, namespaces, topics or schemas that failed. The message starts with the code. */
export class ResourceError extends Error {
  readonly code: ResourceErrorCode;
  constructor(code: ResourceErrorCode, detail: string, options?: ErrorOptions) {
    super(`${code}: ${detail}`, options);
    this.name = "ResourceError";
    this.code = code;
  }
}
