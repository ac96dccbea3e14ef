import type { Bundles } from "./bundle.ts";
import type { Findings } from "./figures.ts";

/** What a suite is run with. */
export interface Context {
  /** Fewer and shorter measurements: to see that it runs, not to believe the figures. */
  quick: boolean;
  /** Bytes a second down a bare loopback socket. */
  loopbackBytesPerSecond: number;
  bundles: Bundles;
  /** Says what is being measured. */
  progress(text: string): void;
}

export interface Suite {
  name: string;
  title: string;
  run(context: Context): Promise<Findings>;
}

/** The message sizes that are measured, in bytes. */
export const SIZES: readonly { bytes: number; text: string }[] = [
  { bytes: 1024, text: "1 KiB" },
  { bytes: 100, text: "100 B" },
];
