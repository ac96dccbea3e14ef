/** JSON as Pulsar's clients in other languages write it: a bigint is a number there, whatever its size. */
export function jsonText(value: unknown): string {
  const text = hasBigInt(value, 0) ? writeExactly(value) : JSON.stringify(value);
  if (text === undefined) throw new TypeError("the value has no form in JSON");
  return text;
}

const DEPTH_MAX = 1000;

function hasBigInt(value: unknown, depth: number): boolean {
  if (typeof value === "bigint") return true;
  // what is nested deeper, or in a circle, is refused by whoever writes it
  if (typeof value !== "object" || value === null || depth > DEPTH_MAX) return false;
  for (const name in value) if (hasBigInt((value as Record<string, unknown>)[name], depth + 1)) return true;
  return false;
}

function writeExactly(value: unknown, depth = 0): string | undefined {
  if (depth > DEPTH_MAX) throw new TypeError("the value is nested too deeply, or in a circle");
  if (typeof value === "bigint") return value.toString();
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  if ("toJSON" in value && typeof value.toJSON === "function") return writeExactly(value.toJSON(), depth + 1);
  if (Array.isArray(value)) return `[${value.map((item) => writeExactly(item, depth + 1) ?? "null").join(",")}]`;
  const fields: string[] = [];
  for (const [name, field] of Object.entries(value)) {
    const text = writeExactly(field, depth + 1);
    if (text !== undefined) fields.push(`${JSON.stringify(name)}:${text}`);
  }
  return `{${fields.join(",")}}`;
}
