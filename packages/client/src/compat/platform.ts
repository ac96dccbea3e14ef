// The API of the official Node client has Buffers and paths of files in it: this one file of the room knows Node.
import { Buffer } from "node:buffer";
import { readFileSync } from "node:fs";

export type { Buffer } from "node:buffer";

/** A view of the same bytes. */
export function bufferOf(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

export function isBuffer(value: unknown): value is Uint8Array {
  return Buffer.isBuffer(value) || value instanceof Uint8Array;
}

export function base64Of(bytes: Uint8Array): string {
  return bufferOf(bytes).toString("base64");
}

/** The content of a file. Throws an Error that names the option and the path. */
export function readText(option: string, path: string): string {
  return readFile(option, path).toString("utf8");
}

export function readFile(option: string, path: string): Buffer {
  try {
    return readFileSync(path);
  } catch (error) {
    throw new Error(`${option}: cannot read ${path}`, { cause: error });
  }
}
