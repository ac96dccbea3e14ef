import { BOOKIE_RACKS_KEY, type BookieRackGroups, decodeRackGroups, encodeRackGroups } from "../bookkeeper/index.ts";
import { MetadataError, type MetadataStore } from "../metadata/index.ts";

/** The group that bookies belong to of which nothing else is said. */
const DEFAULT_GROUP = "default";

/** Deals bookies out to zones, each a rack; those that were given a rack before stay where they are. */
export async function putInZones(session: MetadataStore, bookies: readonly string[], zones: number): Promise<void> {
  if (zones === 1) return;
  for (;;) {
    const found = await session.get(BOOKIE_RACKS_KEY);
    const groups = found === undefined ? {} : decodeRackGroups(found.value);
    const put = { expectedVersion: found?.stat.version ?? -1 };
    try {
      await session.put(BOOKIE_RACKS_KEY, encodeRackGroups(withZones(groups, bookies, zones)), put);
      return;
    } catch (error) {
      if (!(error instanceof MetadataError) || error.code !== "BadVersion") throw error;
    }
  }
}

function withZones(groups: BookieRackGroups, bookies: readonly string[], zones: number): BookieRackGroups {
  const known = new Set(Object.values(groups).flatMap((group) => Object.keys(group)));
  const own = { ...groups[DEFAULT_GROUP] };
  for (const [index, bookie] of bookies.entries()) {
    if (!known.has(bookie)) own[bookie] = { rack: `/zone-${index % zones}` };
  }
  return { ...groups, [DEFAULT_GROUP]: own };
}
