import type { SchemaFormat } from "../schema/auto-schemas.ts";
import { nativeType, plainReader } from "./protobuf-type.ts";

/** Lets `autoConsumeSchema` and `autoProduceSchema` read PROTOBUF_NATIVE. */
export function protobufFormat(): SchemaFormat {
  return { types: ["PROTOBUF_NATIVE"], reader: (info) => plainReader(nativeType(info.schema)) };
}
