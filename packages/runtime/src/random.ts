/** Randomness, as everything here sees it. */
export interface Random {
  /** A float in [0, 1). */
  float(): number;
  /** An integer in [0, below). */
  integer(below: number): number;
  /** `length` random bytes; from a cryptographic source where the port is a real one. */
  bytes(length: number): Uint8Array;
  /** A stream of its own for `name`, so that one user more does not shift the others. */
  fork(name: string): Random;
}
