import { Hono } from "hono";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import { type BookieHealth, BookKeeperError } from "../bookkeeper/index.ts";
import { AdminError, adminErrorOf } from "./admin-error.ts";
import { recordBody } from "./request-body.ts";

/** What BookKeeper's own REST is written over. */
export interface RecoveryContext {
  progress(): Promise<{
    enabled: boolean;
    auditor: string | undefined;
    underReplicated: readonly {
      ledgerId: number;
      missingReplicas: readonly string[];
      leavingReplicas: readonly string[];
    }[];
  }>;
  setEnabled(enabled: boolean): Promise<void>;
  audit(): Promise<boolean>;
  checkAllLedgers(): Promise<boolean>;
  decommission(bookieId: string): Promise<void>;
}

/**
 * The part of BookKeeper's REST (`/api/v1/autorecovery`) that is about copies that were lost and bookies that leave; and
 * `/api/v1/bookie/damage`, which is ours, about what bookies themselves found to be lost.
 */
export function createBookKeeperApi(
  context: RecoveryContext,
  damage: () => readonly BookieHealth[],
): (request: Request) => Response | Promise<Response> {
  const app = new Hono();
  const routes = new Hono();
  routes.get("/list_under_replicated_ledger", async (c) => {
    const { underReplicated } = await context.progress();
    if (underReplicated.length === 0) throw new AdminError(404, "No under replicated ledgers found");
    if (c.req.query("printmissingreplica") !== "true") return c.json(underReplicated.map(({ ledgerId }) => ledgerId));
    const missing = underReplicated.map((mark) => [mark.ledgerId, [...mark.missingReplicas, ...mark.leavingReplicas]]);
    return c.json(Object.fromEntries(missing) as Record<string, string[]>);
  });
  routes.get("/who_is_auditor", async (c) => {
    const { auditor } = await context.progress();
    if (auditor === undefined) throw new AdminError(404, "No auditor elected");
    return c.json({ Auditor: auditor });
  });
  routes.put("/trigger_audit", async (c) => {
    if (!(await context.audit())) throw new AdminError(404, "No auditor elected");
    return c.text("Success to trigger audit.");
  });
  routes.get("/status", async (c) => c.json({ enabled: (await context.progress()).enabled }));
  routes.put("/status", async (c) => {
    const enabled = c.req.query("enabled");
    if (enabled !== "true" && enabled !== "false") throw new AdminError(400, "enabled takes true or false");
    await context.setEnabled(enabled === "true");
    return c.json({ enabled: enabled === "true" });
  });
  routes.put("/decommission", async (c) => {
    const { bookie_src: bookie } = await recordBody(c, "The body");
    if (typeof bookie !== "string") throw new AdminError(400, 'The body takes {"bookie_src": "host:port"}');
    await context.decommission(bookie);
    return c.text(`Success send decommission Bookie command ${bookie}`);
  });
  routes.put("/check_all_ledgers", async (c) => {
    if (!(await context.checkAllLedgers())) throw new AdminError(404, "No auditor elected");
    return c.text("All ledgers were checked.");
  });
  app.route("/api/v1/autorecovery", routes);
  app.get("/api/v1/bookie/damage", (c) => {
    const bookies = damage().map(({ id, error, damagedFiles, doubtfulLedgers }) => {
      const started = error === undefined;
      const ledgersInDoubt = doubtfulLedgers.length;
      return [id, { started, ...(started ? {} : { error }), damagedFiles, ledgersInDoubt, doubtfulLedgers }] as const;
    });
    return c.json(Object.fromEntries(bookies));
  });
  app.onError((error, c) => {
    const { status, message } =
      error instanceof BookKeeperError ? new AdminError(409, error.message) : adminErrorOf(error);
    return c.json({ reason: message }, status as ContentfulStatusCode);
  });
  app.notFound((c) => c.json({ reason: `HTTP 404 Not Found: ${c.req.method} ${new URL(c.req.url).pathname}` }, 404));
  return (request) => app.fetch(request);
}
