import { TopicName } from "@pulsewire/protocol";
import type { Cluster, MetadataStore } from "@pulsewire/server";
import type { Simulation } from "@pulsewire/simulator";
import { decodeLedgerMetadata, writeSetOf } from "../../packages/server/src/bookkeeper/client/ledger-metadata.ts";
import { ledgerKey } from "../../packages/server/src/bookkeeper/client/ledger-metadata-store.ts";
import { managedLedgerName } from "../../packages/server/src/broker/resources/names.ts";
import type { StoredLedger } from "./history.ts";

interface ListedLedger {
  ledgerId: number;
  entries: number;
}

/** The ledgers of a topic as the metadata store has them. */
export async function readStoredLedgers(
  simulation: Simulation,
  metadata: MetadataStore,
  topic: string,
): Promise<StoredLedger[]> {
  const name = managedLedgerName(TopicName.parse(topic));
  const list = await simulation.finish(readJson<{ ledgers: ListedLedger[] }>(metadata, `/managed-ledgers/${name}`));
  const stored: StoredLedger[] = [];
  for (const { ledgerId, entries } of list?.ledgers ?? []) {
    const found = await simulation.finish(readJson<Omit<StoredLedger, "ledgerId">>(metadata, ledgerKey(ledgerId)));
    stored.push({ ledgerId, listedEntries: entries, ...found });
  }
  return stored;
}

async function readJson<T>(metadata: MetadataStore, key: string): Promise<T | undefined> {
  const found = await metadata.get(key);
  return found && (JSON.parse(new TextDecoder().decode(found.value)) as T);
}

/** How many entries of a closed ledger some bookie of their write quorum has no copy of. */
export async function entriesLackingCopies(
  cluster: Cluster,
  metadata: MetadataStore,
  ledgerId: number,
): Promise<number> {
  const found = await metadata.get(ledgerKey(ledgerId));
  if (found === undefined) return 0;
  const ledger = decodeLedgerMetadata(found.value);
  let lacking = 0;
  for (let entryId = 0; entryId <= (ledger.lastEntryId ?? -1); entryId++) {
    const copies = await Promise.all(
      writeSetOf(ledger, entryId).map(async (id) => {
        const copy = await cluster.bookies.find((node) => node.id === id)?.bookie.storage.read(ledgerId, entryId);
        return copy !== undefined && typeof copy !== "string";
      }),
    );
    if (copies.includes(false)) lacking++;
  }
  return lacking;
}
