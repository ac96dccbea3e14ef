import { describe } from "../check-options.ts";
import { InvalidConfigurationError } from "../errors.ts";
import type { Schema } from "./schema.ts";

/** Throws an InvalidConfigurationError for what is no schema. */
export function checkSchema(schema: unknown): Schema<never, unknown> | undefined {
  if (schema === undefined) return undefined;
  if (typeof schema === "object" && schema !== null && "encode" in schema && "decode" in schema) {
    const { encode, decode } = schema;
    if (typeof encode === "function" && typeof decode === "function") return schema as Schema<never, unknown>;
  }
  const hint =
    typeof schema === "object" && schema !== null && "~standard" in schema ? "; wrap it: jsonSchema(...)" : "";
  throw new InvalidConfigurationError(`schema takes a schema such as stringSchema(), not ${describe(schema)}${hint}`);
}
