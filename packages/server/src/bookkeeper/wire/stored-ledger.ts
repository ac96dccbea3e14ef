/** Whether a ledger's metadata, as it is stored, says that its writer may go on. */
export function isOpenLedger(stored: Uint8Array): boolean {
  return (JSON.parse(new TextDecoder().decode(stored)) as { state: string }).state === "OPEN";
}
