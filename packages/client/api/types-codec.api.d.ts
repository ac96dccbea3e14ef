interface DataKey {
    encrypt(iv: Uint8Array, bytes: Uint8Array): Uint8Array | Promise<Uint8Array>;
    decrypt(iv: Uint8Array, bytes: Uint8Array): Uint8Array | Promise<Uint8Array>;
}
interface Encryption {
    dataKey(key: Uint8Array): DataKey;
    wrap(publicKeyPem: string | Uint8Array, dataKey: Uint8Array): Uint8Array | Promise<Uint8Array>;
    unwrap(privateKeyPem: string | Uint8Array, wrapped: Uint8Array): Uint8Array | Promise<Uint8Array>;
}
type CompressionName = "NONE" | "LZ4" | "ZLIB" | "ZSTD" | "SNAPPY";
interface Codec {
    readonly compressions: ReadonlySet<CompressionName>;
    readonly encryption?: Encryption | undefined;
    compress(type: CompressionName, bytes: Uint8Array): Uint8Array | Promise<Uint8Array>;
    decompress(type: CompressionName, bytes: Uint8Array, uncompressedSize: number): Uint8Array | Promise<Uint8Array>;
}
export type { CompressionName as C, Codec as a };
