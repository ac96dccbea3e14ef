import type { ClientTlsOptions } from "@pulsewire/runtime";
import { describe, knownOptions, trueOrFalse } from "./check-options.ts";
import { InvalidConfigurationError } from "./errors.ts";
import { type Logger, SILENT } from "./logger.ts";
import type { Telemetry } from "./observability/telemetry.ts";

const TLS: Record<keyof ClientTlsOptions, true> = {
  ca: true,
  cert: true,
  key: true,
  allowInsecure: true,
  verifyHostname: true,
  serverName: true,
};

/** Throws an InvalidConfigurationError: a setting of TLS that is not understood must not pass for one that is. */
export function checkTls(tls: ClientTlsOptions | undefined): ClientTlsOptions | undefined {
  if (tls === undefined) return undefined;
  if (typeof tls !== "object" || tls === null) {
    throw new InvalidConfigurationError(`tls takes an object, not ${describe(tls)}`);
  }
  knownOptions("tls", tls, TLS);
  for (const name of ["ca", "cert", "key", "serverName"] as const) {
    if (tls[name] === undefined || typeof tls[name] === "string") continue;
    throw new InvalidConfigurationError(`tls.${name} takes a text, not ${describe(tls[name])}`);
  }
  for (const name of ["ca", "cert", "key"] as const) {
    if (tls[name] === undefined || tls[name].includes("-----BEGIN ")) continue;
    throw new InvalidConfigurationError(`tls.${name} takes PEM text, with -----BEGIN, and not the path of a file`);
  }
  trueOrFalse("tls.allowInsecure", tls.allowInsecure, false);
  trueOrFalse("tls.verifyHostname", tls.verifyHostname, true);
  return tls;
}

const LEVELS = ["debug", "info", "warn", "error"] as const;

export function checkLogger(logger: Logger | undefined): Logger {
  if (logger === undefined) return SILENT;
  const missing = LEVELS.find((level) => typeof (logger as Partial<Logger> | null)?.[level] !== "function");
  if (missing === undefined) return logger;
  throw new InvalidConfigurationError(`logger takes something like console, with a function ${missing}`);
}

export function checkRuntime<T extends object>(runtime: T | undefined): void {
  if (runtime === undefined) return;
  const { clock, network, random, codec } = (runtime ?? {}) as Record<string, unknown>;
  if ([clock, network, random, codec].every((port) => typeof port === "object" && port !== null)) return;
  throw new InvalidConfigurationError("runtime takes an object with clock, random, network and codec");
}

export function checkTelemetry(telemetry: Telemetry | undefined): Telemetry | undefined {
  if (telemetry === undefined) return undefined;
  const { producer, consumer, close } = (telemetry ?? {}) as Partial<Telemetry>;
  if ([producer, consumer, close].every((hook) => typeof hook === "function")) return telemetry;
  throw new InvalidConfigurationError("telemetry takes one such as openTelemetry() of @pulsewire/client/opentelemetry");
}
