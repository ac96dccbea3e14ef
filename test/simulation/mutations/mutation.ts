/** One text of the product that is to become another. It must be there exactly once. */
export interface Edit {
  /** From the root of the repository. */
  file: string;
  from: string;
  to: string;
}

/** A known way to break the product, and where the simulation must notice. */
export interface Mutation {
  name: string;
  /** What it does wrong, in words. */
  breaks: string;
  edits: readonly Edit[];
  of: "storage" | "cluster";
  /** Within how many seeds it is noticed, from seed 1 on. */
  seedsMax: number;
}

/** The text with an edit made. @throws Error when the product does not say what the edit replaces. */
export function edited(text: string, { file, from, to }: Edit): string {
  const parts = text.split(from);
  if (parts.length === 2) return parts.join(to);
  throw new Error(`${file} says this ${parts.length - 1} times and must say it once, to be broken there:\n${from}`);
}
