import { joinLengthPrefixed } from "./length-prefixed.ts";

/**
 * A KEY_VALUE schema's definition as the wire has it, from the JSON that the REST API makes of it: the definitions of both
 * parts, each an object or a text.
 */
export function keyValueSchemaBytes(json: string): Uint8Array {
  const { key, value } = (json === "" ? {} : JSON.parse(json)) as { key?: unknown; value?: unknown };
  return joinLengthPrefixed([definitionBytes(key), definitionBytes(value)]);
}

function definitionBytes(part: unknown): Uint8Array {
  const text = typeof part === "string" ? part : part === undefined ? "" : JSON.stringify(part);
  return new TextEncoder().encode(text);
}
