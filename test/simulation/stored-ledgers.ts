import { TopicName } from "@pulsewire/protocol";
import type { MetadataStore } from "@pulsewire/server";
import type { Simulation } from "@pulsewire/simulator";
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
