// The official client passes over values that it does not know, and so keeps its default; so does this room.

export function textIn(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}

export function flagIn(value: unknown): boolean | undefined {
  return typeof value === "boolean" ? value : undefined;
}

/** A whole number of at least `min`. */
export function numberIn(value: unknown, min: number): number | undefined {
  return typeof value === "number" && Number.isFinite(value) && value >= min ? Math.trunc(value) : undefined;
}

export function nameIn<T>(names: Readonly<Record<string, T>>, value: unknown): T | undefined {
  return typeof value === "string" && Object.hasOwn(names, value) ? names[value] : undefined;
}

/** Texts by name; other values as texts. */
export function propertiesIn(value: unknown): Record<string, string> | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  return Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, String(entry)]));
}

/** The entries that have a value. */
export function present<T extends object>(values: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>;
  };
}
