/**
 * Traces and metrics by OpenTelemetry's API, which is to be installed beside this package.
 *
 * @module
 */
export { contextOf } from "./message-context.ts";
export { type OpenTelemetryOptions, openTelemetry } from "./open-telemetry.ts";
