/** Throws a TypeError for a name that is no option, and tells which there are: a misspelt one would silently do nothing. */
export function checkNames(what: string, options: unknown, names: readonly string[]): void {
  if (typeof options !== "object" || options === null || Array.isArray(options)) {
    throw new TypeError(`${what} takes an object with ${names.join(", ")}, not ${JSON.stringify(options)}`);
  }
  for (const name of Object.keys(options)) {
    if (names.includes(name)) continue;
    throw new TypeError(`${what} has no option ${JSON.stringify(name)}; there are ${names.join(", ")}`);
  }
}
