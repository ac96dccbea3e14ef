type Json = Record<string, unknown>;
/** A definition in Avro's JSON form. */
type Avro = string | Avro[] | { type: unknown; [name: string]: unknown };

/**
 * The definition in Avro's JSON form that Pulsar keeps for a JSON schema. A field that need not be there, or may be null,
 * becomes a union with null, as Java's clients make it. Throws for what Avro cannot say.
 */
export function avroFromJsonSchema(schema: Json, name?: string): object {
  const title = typeof schema.title === "string" ? schema.title : "Value";
  const made = new DefinitionMaker(schema).make(schema, avroName(name ?? title));
  // in Avro such a definition is a bare array, which is no record for a topic's readers in other languages
  if (Array.isArray(made)) throw new TypeError("a topic's values are of one kind, not a choice between several");
  return typeof made === "object" ? made : { type: made };
}

class DefinitionMaker {
  readonly #root: Json;
  /** Names of records, once they are defined; Avro defines each once and names it afterwards. */
  readonly #defined = new Map<object, string>();
  readonly #names = new Set<string>();

  constructor(root: Json) {
    this.#root = root;
  }

  make(schema: Json, name: string): Avro {
    if (typeof schema.$ref === "string") return this.make(this.#resolve(schema.$ref), lastPart(schema.$ref) ?? name);
    const choices = (schema.anyOf ?? schema.oneOf) as Json[] | undefined;
    if (choices !== undefined) return this.#union(choices, name);
    if (Array.isArray(schema.type))
      return this.#union(
        (schema.type as string[]).map((type) => ({ ...schema, type })),
        name,
      );
    if (Array.isArray(schema.allOf)) {
      if (schema.allOf.length === 1) return this.make(schema.allOf[0] as Json, name);
      throw new TypeError(`${name}: allOf of several schemas`);
    }
    return this.#plain(schema, name);
  }

  #plain(schema: Json, name: string): Avro {
    switch (schema.type ?? typeOfConstant(schema)) {
      case "string":
        return "string";
      case "boolean":
        return "boolean";
      case "null":
        return "null";
      case "number":
        return "double";
      case "integer":
        return isInt32(schema) ? "int" : "long";
      case "array":
        return this.#array(schema, name);
      case "object":
        return this.#object(schema, name);
      default:
        throw new TypeError(`${name}: a value of any type`);
    }
  }

  #array(schema: Json, name: string): Avro {
    const { items, prefixItems } = schema;
    if (prefixItems !== undefined || typeof items !== "object" || items === null) {
      throw new TypeError(`${name}: an array whose items are not all of one kind`);
    }
    return { type: "array", items: this.make(items as Json, name) };
  }

  #object(schema: Json, name: string): Avro {
    const { properties, additionalProperties } = schema as {
      properties?: Record<string, Json>;
      additionalProperties?: unknown;
    };
    if (properties === undefined && typeof additionalProperties === "object" && additionalProperties !== null) {
      return { type: "map", values: this.make(additionalProperties as Json, name) };
    }
    const known = this.#defined.get(schema);
    if (known !== undefined) return known;
    const unique = this.#unique(name);
    this.#defined.set(schema, unique);
    const required = new Set((schema.required as string[] | undefined) ?? []);
    const fields = Object.entries(properties ?? {}).map(([field, type]) => {
      if (avroName(field) !== field) throw new TypeError(`${name}.${field}: not a name in Avro`);
      return this.#field(field, this.make(type, `${unique}_${field}`), required.has(field));
    });
    return { type: "record", name: unique, fields };
  }

  #field(name: string, type: Avro, required: boolean): object {
    const alternatives = Array.isArray(type) ? type : [type];
    if (required && !alternatives.includes("null")) return { name, type };
    return { name, type: ["null", ...alternatives.filter((a) => a !== "null")], default: null };
  }

  #union(choices: Json[], name: string): Avro {
    const made = choices.flatMap((choice) => this.make(choice, name));
    const unique = [...new Map(made.map((type) => [kindOf(type), type])).values()];
    const one = unique[0];
    if (unique.length === 1 && one !== undefined) return one;
    if (new Set(made.map((type) => JSON.stringify(type))).size !== unique.length) {
      throw new TypeError(`${name}: a choice between several types that Avro does not tell apart`);
    }
    return unique;
  }

  #resolve(ref: string): Json {
    let at: unknown = this.#root;
    for (const part of ref
      .replace(/^#\/?/, "")
      .split("/")
      .filter((p) => p !== "")) {
      at = (at as Json | undefined)?.[part.replaceAll("~1", "/").replaceAll("~0", "~")];
    }
    if (typeof at === "object" && at !== null) return at as Json;
    throw new TypeError(`the reference ${ref} leads nowhere`);
  }

  #unique(name: string): string {
    let unique = name;
    for (let n = 2; this.#names.has(unique); n++) unique = `${name}${n}`;
    this.#names.add(unique);
    return unique;
  }
}

/** Types of one kind cannot stand beside each other in a union. */
function kindOf(type: Avro): string {
  if (typeof type === "string") return type;
  if (Array.isArray(type)) return "union";
  return type.type === "record" ? `record ${String(type.name)}` : String(type.type);
}

function typeOfConstant(schema: Json): string | undefined {
  const values = "const" in schema ? [schema.const] : ((schema.enum as unknown[] | undefined) ?? []);
  const types = new Set(values.map((v) => (v === null ? "null" : typeof v)));
  return types.size === 1 ? [...types][0] : undefined;
}

function isInt32(schema: Json): boolean {
  const { minimum, maximum } = schema;
  return typeof minimum === "number" && typeof maximum === "number" && minimum >= -(2 ** 31) && maximum < 2 ** 31;
}

function lastPart(ref: string): string | undefined {
  const last = ref.split("/").at(-1);
  return last === undefined || last === "#" || last === "" ? undefined : avroName(last);
}

/** The text with everything that a name in Avro must not have made an underscore. */
function avroName(text: string): string {
  const name = text.replaceAll(/[^A-Za-z0-9_]/g, "_");
  return /^[A-Za-z_]/.test(name) ? name : `_${name}`;
}
