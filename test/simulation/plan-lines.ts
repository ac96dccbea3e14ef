/** Everything that a seed decided, an option a line. */
export function planLines(plan: object): string[] {
  return [...linesOf(plan, "")];
}

function* linesOf(value: unknown, name: string): Iterable<string> {
  if (Array.isArray(value) && value.every((one) => typeof one !== "object")) yield `  ${name} = ${value.join(", ")}`;
  else if (typeof value === "object" && value !== null) {
    for (const [key, one] of Object.entries(value)) yield* linesOf(one, name === "" ? key : `${name}.${key}`);
  } else if (value !== undefined) yield `  ${name} = ${String(value)}`;
}
