/** Below this key every bookie that takes data has an ephemeral key with its name. */
export const AVAILABLE_BOOKIES_KEY = "/ledgers/available";
/** Where a bookie registers that serves reads and takes no new data. */
export const READONLY_BOOKIES_KEY: string = `${AVAILABLE_BOOKIES_KEY}/readonly`;
/** The child of the available bookies that is not a bookie. */
export const READONLY_NAME = "readonly";
