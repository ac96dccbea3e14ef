import { Context, TracerProvider, MeterProvider } from '@opentelemetry/api';
import { M as Message } from './types-producer-message.d.js';
import { T as Telemetry } from './types-telemetry.d.js';
import './types-codec.d.js';
import './types-message-id.d.js';
import './types-schema.d.js';
declare function contextOf(message: Message<unknown>): Context;
interface OpenTelemetryOptions {
    tracerProvider?: TracerProvider | false;
    meterProvider?: MeterProvider | false;
}
declare function openTelemetry(options?: OpenTelemetryOptions): Telemetry;
export { contextOf, openTelemetry };
export type { OpenTelemetryOptions };
