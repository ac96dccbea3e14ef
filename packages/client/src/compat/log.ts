import type { Logger } from "../logger.ts";

export const LogLevel: {
  readonly DEBUG: 0;
  readonly INFO: 1;
  readonly WARN: 2;
  readonly ERROR: 3;
  toString(level?: number): string;
} = {
  DEBUG: 0,
  INFO: 1,
  WARN: 2,
  ERROR: 3,
  toString: (level) => ["DEBUG", "INFO", "WARN", "ERROR"][level ?? -1] ?? "",
};
export type LogLevel = 0 | 1 | 2 | 3;

export type LogHandler = (level: LogLevel, file: string, line: number, message: string) => void;

/** Writes to the handler that is set when something is to be said. There is no file and no line to tell. */
export function loggerTo(handler: () => LogHandler | undefined, least: LogLevel): Logger {
  const write = (level: LogLevel) => (text: string) => {
    if (level >= least) handler()?.(level, "pulsewire", 0, text);
  };
  return { debug: write(0), info: write(1), warn: write(2), error: write(3) };
}
