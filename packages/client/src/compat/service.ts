import type { Authentication } from "../auth/authentication.ts";
import { autoClusterFailover } from "../failover/auto-cluster-failover.ts";
import type { ServiceUrlProvider } from "../failover/service-url-provider.ts";
import { Authenticating } from "./authentication.ts";
import type { AutoClusterFailoverConfig, ServiceInfo } from "./config.ts";
import { present } from "./values.ts";

/** The official client's, in ms. */
const CHECK_INTERVAL_MS = 30_000;

/** This client's authentication for the official client's. */
export function authenticationOf(given: unknown): Authentication | undefined {
  if (given === undefined || given === null) return undefined;
  if (given instanceof Authenticating) return given.credentials();
  throw new Error("Authentication must be a Pulsar authentication object");
}

/** What watches the clusters: the official client counts probes, this one the time they take. */
export function failoverOf(config: AutoClusterFailoverConfig): ServiceUrlProvider {
  if (typeof config !== "object") throw new Error("serviceUrlProvider must be an object");
  const { primary, secondary } = config;
  if (primary === undefined) throw new Error("serviceUrlProvider.primary is required");
  if (!Array.isArray(secondary)) throw new Error("serviceUrlProvider.secondary is required and must be an array");
  if (secondary.length === 0) throw new Error("serviceUrlProvider.secondary must contain at least one service");
  const checkIntervalMs = positive("checkIntervalMs", config.checkIntervalMs) ?? CHECK_INTERVAL_MS;
  const others = secondary.map((one, i) => ({ url: urlOf(`secondary[${i}]`, one), authentication: who(one) }));
  const known = others.filter(({ authentication }) => authentication !== undefined);
  return autoClusterFailover({
    primary: urlOf("primary", primary),
    secondaries: others.map(({ url }) => url),
    checkIntervalMs,
    failoverDelayMs: checkIntervalMs * (positive("failoverThreshold", config.failoverThreshold) ?? 1),
    switchBackDelayMs: checkIntervalMs * (positive("switchBackThreshold", config.switchBackThreshold) ?? 1),
    ...present({
      primaryAuthentication: who(primary),
      secondaryAuthentication:
        known.length === 0
          ? undefined
          : Object.fromEntries(known.map(({ url, authentication }) => [url, authentication as Authentication])),
    }),
  });
}

function urlOf(field: string, info: ServiceInfo): string {
  const name = `serviceUrlProvider.${field}`;
  if (typeof info === "string" && info !== "") return info;
  if (typeof info === "string") throw new Error(`${name} service URL must be a non-empty string`);
  if (typeof info !== "object" || info === null) {
    throw new Error(`${name} must be a service URL string or service info object`);
  }
  if (typeof info.serviceUrl === "string" && info.serviceUrl !== "") return info.serviceUrl;
  throw new Error(`${name}.serviceUrl is required and must be a non-empty string`);
}

function who(info: ServiceInfo): Authentication | undefined {
  return typeof info === "string" ? undefined : authenticationOf(info.authentication);
}

function positive(field: string, value: unknown): number | undefined {
  if (value === undefined) return undefined;
  if (typeof value === "number" && Number.isFinite(value) && value > 0) return Math.trunc(value);
  throw new Error(`serviceUrlProvider.${field} must be a positive number`);
}
