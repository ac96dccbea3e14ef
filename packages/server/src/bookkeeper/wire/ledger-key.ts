export const LEDGERS_KEY = "/ledgers";

/** Where metadata has a ledger, `/ledgers/00/0000/L0012`: ten digits in groups, so that no folder gets too large. */
export function ledgerKey(ledgerId: number): string {
  const digits = String(ledgerId).padStart(10, "0");
  const at = digits.length;
  return `${LEDGERS_KEY}/${digits.slice(0, at - 8)}/${digits.slice(at - 8, at - 4)}/L${digits.slice(at - 4)}`;
}
