type Compress = (bytes: Uint8Array) => Uint8Array;

/** Pulsar's own level. */
const LEVEL = 3;

/** Compresses by ZSTD in WebAssembly, which is loaded at the first use: the first answers come later, the others at once. */
export class ZstdEncoder {
  #compress: Compress | undefined;
  #loading: Promise<Compress> | undefined;

  compress(bytes: Uint8Array): Uint8Array | Promise<Uint8Array> {
    if (this.#compress !== undefined) return this.#compress(bytes);
    this.#loading ??= this.#load();
    return this.#loading.then((compress) => compress(bytes));
  }

  async #load(): Promise<Compress> {
    try {
      const { Zstd } = await import("@hpcc-js/wasm-zstd");
      const zstd = await Zstd.load();
      const compress: Compress = (bytes) => zstd.compress(bytes, LEVEL);
      this.#compress = compress;
      return compress;
    } catch (error) {
      // the next send tries again: a page may have been offline
      this.#loading = undefined;
      throw new Error("ZSTD could not be loaded; it needs WebAssembly and the package @hpcc-js/wasm-zstd", {
        cause: error,
      });
    }
  }
}
