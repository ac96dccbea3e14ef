// The generated schema under a stable name: everything but the runtime's own helpers.
export * from "../gen/pulsar-api.ts";
export type { Bits64, Decoded } from "./protobuf-runtime.ts";
