import type { SchemaFormat } from "../schema/auto-schemas.ts";
import { type AvroLongs, asBuffer, avroType } from "./avro-type.ts";

/** Lets `autoConsumeSchema` and `autoProduceSchema` read AVRO. */
export function avroFormat(options: { longs?: AvroLongs } = {}): SchemaFormat {
  return {
    types: ["AVRO"],
    reader(info) {
      const definition = JSON.parse(new TextDecoder().decode(info.schema)) as object;
      const type = avroType(definition, options.longs ?? "bigint");
      return { decode: (data) => type.fromBuffer(asBuffer(data)) as unknown };
    },
  };
}
