export const LEDGERS_KEY = "/ledgers";

/** Where metadata has a ledger, `/ledgers/00/0000/L0012`: ten digits in groups, so that no folder gets too large. */
export function ledgerKey(ledgerId: number): string {
  const digits = String(ledgerId).padStart(10, "0");
  const at = digits.length;
  return `${LEDGERS_KEY}/${digits.slice(0, at - 8)}/${digits.slice(at - 8, at - 4)}/L${digits.slice(at - 4)}`;
}

/** Whether a ledger's metadata, as it is stored, says that its writer may go on. */
export function isOpenLedger(stored: Uint8Array): boolean {
  return (JSON.parse(new TextDecoder().decode(stored)) as { state: string }).state === "OPEN";
}
