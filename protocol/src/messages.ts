// The generated schema under a stable name: everything but the runtime's own helpers.
export * from "../gen/pulsar-api.ts";
export type { Bits64, Decoded, Int64 } from "./protobuf-runtime.ts";
