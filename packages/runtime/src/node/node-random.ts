import { randomBytes } from "node:crypto";
import type { Random } from "../random.ts";

/** The system's randomness. A fork is the same source: nothing there is reproducible. */
export const nodeRandom: Random = {
  float: () => Math.random(),
  integer: (below: number) => Math.floor(Math.random() * below),
  bytes: (length: number) => randomBytes(length),
  fork: () => nodeRandom,
};
