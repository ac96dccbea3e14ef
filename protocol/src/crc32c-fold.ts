// The polynomial of CRC-32C divides x^5275 + x^4508 + x^2751 + 1, and so that sum with x^8 for x. Hence a byte may be
// removed from the front of a message when it is xored into the bytes 767, 2524 and 5275 places behind it, and the
// checksum stays as it was: no table, sixteen bytes a step. What is left at the end is below 5.3 kB.
// Vectors need WebAssembly; where there is none (or a page's policy forbids it), the tables do all of it.
const OFFSETS = [767, 2524, 5275] as const;
const TAIL_BYTES = OFFSETS[2];
const PAGES = 5;
const PAGE_BYTES = 65536;
const STEP_BYTES = 32;

/** The most bytes of one `fold`. */
export const FOLD_BYTES_MAX: number = PAGES * PAGE_BYTES;
/** Below this, copying and calling cost more than they save. */
export const FOLD_FROM_BYTES: number = 3 * TAIL_BYTES;

// the library of the language does not declare it: it is of the platforms, all of which have it
interface WebAssemblyLike {
  Module: new (bytes: Uint8Array) => object;
  Instance: new (
    module: object,
  ) => { exports: { memory: { buffer: ArrayBuffer }; fold(from: number, to: number): void } };
}

/** An unsigned number in groups of seven bits. */
function unsigned(value: number): number[] {
  return value < 128 ? [value] : [(value & 127) | 128, ...unsigned(value >>> 7)];
}

const sized = (bytes: readonly number[]): number[] => [...unsigned(bytes.length), ...bytes];
const section = (id: number, content: readonly number[]): number[] => [id, ...sized(content)];
const text = (name: string): number[] => sized([...new TextEncoder().encode(name)]);

const I32 = 0x7f;
const V128 = 0x7b;
const ADDRESS = 0;
const VECTOR = 2;
const localGet = (index: number): number[] => [0x20, index];
const vectorLoad = (offset: number): number[] => [0xfd, 0x00, 0, ...unsigned(offset)];
const vectorStore = (offset: number): number[] => [0xfd, 0x0b, 0, ...unsigned(offset)];
const VECTOR_XOR = [0xfd, 0x51];

/** `[address + offset] ^= vector` */
function xorInto(offset: number): number[] {
  return [
    ...localGet(ADDRESS),
    ...localGet(ADDRESS),
    ...vectorLoad(offset),
    ...localGet(VECTOR),
    ...VECTOR_XOR,
    ...vectorStore(offset),
  ];
}

/** `fold(from, to)`: removes the bytes from `from` to `to`, a multiple of the step. */
function moduleBytes(): Uint8Array {
  const removeSixteen = (at: number): number[] => [
    ...localGet(ADDRESS),
    ...vectorLoad(at),
    ...[0x21, VECTOR],
    ...OFFSETS.flatMap((offset) => xorInto(at + offset)),
  ];
  const step = [
    ...removeSixteen(0),
    ...removeSixteen(16),
    // address += step; again while it is below `to`
    ...[...localGet(ADDRESS), 0x41, STEP_BYTES, 0x6a, 0x22, ADDRESS, ...localGet(1), 0x49, 0x0d, 0],
  ];
  const body = [1, 1, V128, 0x03, 0x40, ...step, 0x0b, 0x0b];
  return Uint8Array.from([
    ...[0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
    ...section(1, [1, 0x60, 2, I32, I32, 0]),
    ...section(3, [1, 0]),
    ...section(5, [1, 0, PAGES]),
    ...section(7, [2, ...text("memory"), 2, 0, ...text("fold"), 0, 0]),
    ...section(10, [1, ...sized(body)]),
  ]);
}

/** Shortens what a checksum has to be made of. */
export interface Folder {
  /** Put the bytes here, from the start. */
  readonly memory: Uint8Array;
  /** Answers where, in `memory`, the bytes that are left start; they end where the given ones did. */
  fold(length: number): number;
}

/** Undefined where there are no vectors. */
export function createFolder(): Folder | undefined {
  const platform = Reflect.get(globalThis, "WebAssembly") as unknown as WebAssemblyLike | undefined;
  if (platform === undefined) return undefined;
  try {
    const { exports } = new platform.Instance(new platform.Module(moduleBytes()));
    return {
      memory: new Uint8Array(exports.memory.buffer),
      fold(length: number): number {
        const removed = length - TAIL_BYTES - ((length - TAIL_BYTES) % STEP_BYTES);
        exports.fold(0, removed);
        return removed;
      },
    };
  } catch {
    // no vectors, or a policy against compiling: the tables do
    return undefined;
  }
}
