import { Hono } from "hono";
import type { BookieRackGroups, BookieRackInfo } from "../bookkeeper/index.ts";
import type { AdminContext } from "./admin-context.ts";
import { AdminError } from "./admin-error.ts";
import { recordBody } from "./request-body.ts";

const BAD_RACK =
  "Bookie 'rack' parameter is invalid, When `RackawareEnsemblePlacementPolicy` is enabled, the rack name is not allowed " +
  "to contain slash (`/`) except for the beginning and end of the rack name string. When " +
  "`RegionawareEnsemblePlacementPolicy` is enabled, the rack name can only contain one slash (`/`) except for the " +
  "beginning and end of the rack name string.";

/** `/admin/v2/bookies`: which there are, and the racks they stand in. */
export function bookieRoutes(context: AdminContext): Hono {
  const routes = new Hono();
  routes.get("/all", (c) => c.json({ bookies: context.bookies.map((bookieId) => ({ bookieId })) }));

  routes.get("/racks-info", async (c) => c.json(await context.bookieRacks.all()));
  routes.get("/racks-info/:bookie", async (c) => {
    const bookie = c.req.param("bookie");
    for (const group of Object.values(await context.bookieRacks.all())) {
      const info = group[bookie];
      if (info !== undefined) return c.json(info);
    }
    throw notFound(bookie);
  });
  routes.post("/racks-info/:bookie", async (c) => {
    const group = c.req.query("group");
    if (group === undefined || group === "") throw new AdminError(412, "Bookie 'group' parameters is missing");
    const info = rackInfo(await recordBody(c, "The rack info"), context.regionAware);
    const bookie = c.req.param("bookie");
    await context.bookieRacks.update((groups) => {
      const others = without(groups, bookie);
      return { ...others, [group]: { ...others[group], [bookie]: info } };
    });
    return c.body(null, 204);
  });
  routes.delete("/racks-info/:bookie", async (c) => {
    const bookie = c.req.param("bookie");
    await context.bookieRacks.update((groups) => {
      if (!Object.values(groups).some((group) => bookie in group)) throw notFound(bookie);
      return without(groups, bookie);
    });
    return c.body(null, 204);
  });
  return routes;
}

function rackInfo({ rack, hostname }: Record<string, unknown>, regionAware: boolean): BookieRackInfo {
  for (const [name, value] of Object.entries({ rack, hostname })) {
    if (value !== undefined && value !== null && typeof value !== "string") {
      throw new AdminError(400, `${name} takes a text, not ${JSON.stringify(value)}`);
    }
  }
  if (typeof rack === "string") {
    const names = rack.replace(/^\/|\/$/g, "").split("/").length;
    if (names > (regionAware ? 2 : 1)) throw new AdminError(412, BAD_RACK);
  }
  return { ...(typeof rack === "string" ? { rack } : {}), ...(typeof hostname === "string" ? { hostname } : {}) };
}

/** The groups without a bookie, and without those that held it alone. */
function without(groups: BookieRackGroups, bookie: string): BookieRackGroups {
  const left: BookieRackGroups = {};
  for (const [name, group] of Object.entries(groups)) {
    const others = Object.fromEntries(Object.entries(group).filter(([other]) => other !== bookie));
    if (Object.keys(others).length > 0) left[name] = others;
  }
  return left;
}

function notFound(bookie: string): AdminError {
  return new AdminError(404, `Bookie rack placement configuration not found: ${bookie}`);
}
