/**
 * What this package asks of a validator: the interface of Standard Schema (https://standardschema.dev), which zod, valibot,
 * arktype and others have, and, where it is there, the one of Standard JSON Schema.
 */
export interface StandardValidator<Input = unknown, Output = Input> {
  readonly "~standard": {
    readonly version: 1;
    readonly vendor: string;
    readonly types?: { readonly input: Input; readonly output: Output } | undefined;
    validate(value: unknown): StandardResult<Output> | Promise<StandardResult<Output>>;
    readonly jsonSchema?: { input(options: { target: string }): Record<string, unknown> } | undefined;
  };
}

export type StandardResult<Output> =
  | { readonly value: Output; readonly issues?: undefined }
  | { readonly issues: readonly StandardIssue[] };

export interface StandardIssue {
  readonly message: string;
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
}

/** The validated value. Throws with every issue in the message, and for a validator that answers by a promise. */
export function validated<Output>(validator: StandardValidator<unknown, Output>, value: unknown): Output {
  const result = validator["~standard"].validate(value);
  if (result instanceof Promise) {
    // nobody is going to look at it
    result.catch(ignoreFailure);
    throw new TypeError("the validator answers by a promise; a schema takes one that answers at once");
  }
  if (result.issues === undefined) return result.value;
  throw new TypeError(result.issues.map(issueText).join("; "));
}

function issueText({ message, path }: StandardIssue): string {
  if (path === undefined || path.length === 0) return message;
  return `${path.map((part) => String(typeof part === "object" ? part.key : part)).join(".")}: ${message}`;
}

function ignoreFailure(): void {
  // the call has been refused already
}
