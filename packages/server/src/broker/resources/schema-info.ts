import type { Schema } from "@pulsewire/protocol";

/** One schema definition. `type` is a SchemaType of the protocol. */
export interface SchemaInfo {
  type: number;
  data: Uint8Array;
  properties: Readonly<Record<string, string>>;
}

/** One version of a topic's schema. */
export interface SchemaVersion extends SchemaInfo {
  version: number;
  timestampMs: number;
  deleted: boolean;
}

export function schemaInfoOf(schema: Schema): SchemaInfo {
  return {
    type: schema.type,
    data: schema.schemaData,
    properties: Object.fromEntries((schema.properties ?? []).map((p) => [p.key, p.value])),
  };
}

/** A version as clients get it: eight bytes, big endian. */
export function encodeSchemaVersion(version: number): Uint8Array {
  const bytes = new Uint8Array(8);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, Math.floor(version / 0x100000000));
  view.setUint32(4, version >>> 0);
  return bytes;
}

/** Undefined for bytes that are no version. */
export function decodeSchemaVersion(bytes: Uint8Array): number | undefined {
  if (bytes.length !== 8) return undefined;
  const view = new DataView(bytes.buffer, bytes.byteOffset, 8);
  return view.getUint32(0) * 0x100000000 + view.getUint32(4);
}
