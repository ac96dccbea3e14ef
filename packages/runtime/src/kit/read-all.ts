import { NetworkError } from "../network.ts";

/** Puts the chunks of an answer's body together. Rejects with a NetworkError, code `AnswerTooLarge`, beyond `bytesMax`. */
export async function readAll(
  chunks: AsyncIterable<Uint8Array>,
  bytesMax: number,
  url: string,
): Promise<Uint8Array<ArrayBuffer>> {
  const kept: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of chunks) {
    bytes += chunk.length;
    if (bytes > bytesMax) throw new NetworkError("AnswerTooLarge", `${url} answers with more than ${bytesMax} bytes`);
    kept.push(chunk);
  }
  const all = new Uint8Array(bytes);
  let offset = 0;
  for (const chunk of kept) {
    all.set(chunk, offset);
    offset += chunk.length;
  }
  return all;
}
