/** What Pulsar's brokers keep with the metadata of a managed ledger's ledgers, and of its cursors'. */
export interface LedgerOrigin {
  ledgerName: string;
  /** Of a cursor's ledger. */
  cursorName?: string | undefined;
}

const [APPLICATION, COMPONENT] = ["pulsar", "managed-ledger"];
const [LEDGER_NAME, CURSOR_NAME] = ["pulsar/managed-ledger", "pulsar/cursor"];

export function propertiesOf({ ledgerName, cursorName }: LedgerOrigin): Record<string, string> {
  const properties = { application: APPLICATION, component: COMPONENT, [LEDGER_NAME]: ledgerName };
  return cursorName === undefined ? properties : { ...properties, [CURSOR_NAME]: cursorName };
}

/** Undefined when somebody else made the ledger. */
export function originOf(properties: Readonly<Record<string, string>>): LedgerOrigin | undefined {
  const { component, [LEDGER_NAME]: ledgerName, [CURSOR_NAME]: cursorName } = properties;
  return component === COMPONENT && ledgerName !== undefined ? { ledgerName, cursorName } : undefined;
}
