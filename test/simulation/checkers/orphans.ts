import type { MetadataStore } from "@pulsewire/server";

/** Keys of topics that were deleted. */
export async function keysOfDeleted(metadata: MetadataStore, topics: readonly string[]): Promise<string[]> {
  const keys = await keysBelow(metadata, "");
  return keys
    .filter((key) => topics.some((name) => key.includes(name)))
    .map((key) => `${key} is of a topic that was deleted`);
}

/** Keys that belong to a session, though everybody has left. */
export async function keysOfTheGone(metadata: MetadataStore): Promise<string[]> {
  const left: string[] = [];
  for (const key of await keysBelow(metadata, "")) {
    if ((await metadata.get(key))?.stat.ephemeral === true) left.push(`${key} is left of a session that is over`);
  }
  return left;
}

async function keysBelow(metadata: MetadataStore, key: string): Promise<string[]> {
  const keys: string[] = [];
  for (const name of await metadata.children(key === "" ? "/" : key)) {
    const below = `${key}/${name}`;
    keys.push(below, ...(await keysBelow(metadata, below)));
  }
  return keys;
}
