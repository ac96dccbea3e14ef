import { checkOptions, describe, optionalFunction, optionalText, trueOrFalse } from "../check-options.ts";
import { InvalidConfigurationError } from "../errors.ts";
import { avroFromJsonSchema } from "./avro-definition.ts";
import { jsonText } from "./json-text.ts";
import type { Schema } from "./schema.ts";
import type { SchemaInfo } from "./schema-info.ts";
import { type StandardValidator, validated } from "./standard-validator.ts";
import { textOf } from "./value-reader.ts";

export interface JsonSchemaOptions {
  /**
   * What is registered with the topic: a definition in Avro's JSON form, as Pulsar keeps JSON schemas. Default: made
   * from the JSON Schema that the validator offers. `false` registers nothing.
   */
  definition?: object | false;
  /** What the record is called in a definition that is made. Default: the JSON Schema's title, or `Value`. */
  name?: string;
  /** Validate what is received too, so that defaults and changes of the validator apply. Default true. */
  validateReceived?: boolean;
  /** How a text is parsed, for one who must keep numbers beyond 2^53. Default `JSON.parse`. */
  parse?: (text: string) => unknown;
}

const JSON_SCHEMA_OPTIONS: Readonly<Record<keyof JsonSchemaOptions, true>> = {
  definition: true,
  name: true,
  validateReceived: true,
  parse: true,
};

const utf8 = new TextEncoder();
const strictUtf8 = new TextDecoder("utf-8", { fatal: true });

/**
 * Values as JSON, validated when they are sent and received by any Standard Schema validator: zod, valibot, arktype and
 * others. Throws an InvalidConfigurationError where no definition can be made.
 *
 * @example
 * const order = jsonSchema(z.object({ id: z.string(), amount: z.number() }), { name: "Order" });
 */
export function jsonSchema<Input, Output>(
  validator: StandardValidator<Input, Output>,
  options: JsonSchemaOptions = {},
): Schema<Input, Output> {
  if (!isValidator(validator)) {
    throw new InvalidConfigurationError(`jsonSchema takes a Standard Schema validator, not ${describe(validator)}`);
  }
  checkOptions("jsonSchema", options, JSON_SCHEMA_OPTIONS);
  optionalText("jsonSchema's name", options.name);
  trueOrFalse("validateReceived", options.validateReceived, true);
  optionalFunction("parse", options.parse);
  const { validateReceived = true, parse = JSON.parse } = options;
  return {
    info: infoOf(validator as StandardValidator, options),
    encode(value: Input): Uint8Array {
      validated(validator, value);
      return utf8.encode(jsonText(value));
    },
    decode(data: Uint8Array): Output {
      const value = parse(strictUtf8.decode(data));
      return validateReceived ? validated(validator, value) : (value as Output);
    },
  };
}

function isValidator(value: unknown): boolean {
  const candidate = (typeof value === "object" && value !== null) || typeof value === "function" ? value : undefined;
  const standard = (candidate as Partial<StandardValidator> | undefined)?.["~standard"];
  return typeof standard?.validate === "function";
}

function infoOf(validator: StandardValidator, options: JsonSchemaOptions): SchemaInfo | undefined {
  const { definition, name } = options;
  if (definition === false) return undefined;
  const avro = definition ?? derive(validator, name);
  return { name: "", type: "JSON", schema: utf8.encode(JSON.stringify(avro)), properties: {} };
}

function derive(validator: StandardValidator, name: string | undefined): object {
  const { jsonSchema: offered, vendor } = validator["~standard"];
  const help = "give a definition in Avro's JSON form, or definition: false to register none";
  if (offered === undefined) {
    throw new InvalidConfigurationError(`jsonSchema: the validator (${vendor}) offers no JSON Schema; ${help}`);
  }
  try {
    return avroFromJsonSchema(offered.input({ target: "draft-2020-12" }), name);
  } catch (error) {
    throw new InvalidConfigurationError(`jsonSchema: no definition can be made: ${textOf(error)}; ${help}`, {
      cause: error,
    });
  }
}
