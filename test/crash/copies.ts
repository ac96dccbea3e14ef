/** How long copies may take to be complete again, in ms. */
const PATIENCE_MS = 60_000;
const LOOK_AGAIN_MS = 100;

interface BookieDamage {
  started: boolean;
  ledgersInDoubt: number;
}

/**
 * Waits until every ledger has all its copies again: no bookie is in doubt, none is noted to lack some, and having read
 * every copy changes nothing about that. Answers what is wrong, in words, where that takes too long.
 */
export async function completeCopies(adminUrl: string): Promise<string[]> {
  const untilMs = performance.now() + PATIENCE_MS;
  let lacking = "";
  for (let checked = false; performance.now() < untilMs; ) {
    lacking = await whatIsLacking(adminUrl);
    if (lacking === "" && checked) return [];
    if (lacking === "") checked = (await request(adminUrl, "autorecovery/check_all_ledgers", "PUT")).ok;
    // a ledger that was found to lack some is to be looked at again
    else checked = false;
    await new Promise((resolve) => setTimeout(resolve, LOOK_AGAIN_MS));
  }
  return [`copies are not complete after ${PATIENCE_MS} ms: ${lacking}`];
}

/** Entries that were copied by the server since it started. */
export async function entriesCopied(adminUrl: string): Promise<number> {
  const metrics = await (await fetch(`${adminUrl}/metrics/`)).text();
  return Number(/^replication_worker_NUM_ENTRIES_WRITTEN\{.*\} (\d+)$/m.exec(metrics)?.[1] ?? 0);
}

async function whatIsLacking(adminUrl: string): Promise<string> {
  const damage = (await (await request(adminUrl, "bookie/damage")).json()) as Record<string, BookieDamage>;
  for (const [id, { started, ledgersInDoubt }] of Object.entries(damage)) {
    if (!started) return `${id} was not started`;
    if (ledgersInDoubt > 0) return `${id} is in doubt about ${ledgersInDoubt} ledgers`;
  }
  const marked = await request(adminUrl, "autorecovery/list_under_replicated_ledger");
  return marked.status === 404 ? "" : `ledgers ${await marked.text()} lack some`;
}

function request(adminUrl: string, path: string, method = "GET"): Promise<Response> {
  return fetch(`${adminUrl}/api/v1/${path}`, { method });
}
