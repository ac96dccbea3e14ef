import { type Codec, type CompressionName, lz4Compress, lz4Decompress } from "@pulsewire/runtime";

/** Compression that answers at once: none, and LZ4. */
export const simulatedCodec: Codec = {
  compressions: new Set<CompressionName>(["NONE", "LZ4"]),
  compress(type: CompressionName, bytes: Uint8Array): Uint8Array {
    if (type === "NONE") return bytes;
    if (type === "LZ4") return lz4Compress(bytes);
    throw new Error(`the simulation does not compress by ${type}`);
  },
  decompress(type: CompressionName, bytes: Uint8Array, uncompressedSize: number): Uint8Array {
    if (type === "NONE") return bytes;
    if (type === "LZ4") return lz4Decompress(bytes, uncompressedSize);
    throw new Error(`the simulation does not decompress ${type}`);
  },
};
