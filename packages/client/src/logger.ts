/** Where the client writes what an operator may want to know. `console` and a pino logger fit as they are. */
export interface Logger {
  debug(text: string): void;
  info(text: string): void;
  warn(text: string): void;
  error(text: string): void;
}

function ignore(_text: string): void {
  // a client without a logger says nothing: its errors reach the application by the promises they belong to
}

/** Writes nothing. */
export const SILENT: Logger = Object.freeze({ debug: ignore, info: ignore, warn: ignore, error: ignore });
