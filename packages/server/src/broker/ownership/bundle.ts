import type { TopicName } from "@pulsewire/protocol";
import { bundleHash } from "./bundle-hash.ts";

/** A slice of a namespace's hash space: `tenant/namespace/0x40000000_0x80000000`. */
export interface Bundle {
  readonly namespace: string;
  /** `0x40000000_0x80000000`. */
  readonly range: string;
  /** Namespace and range: the bundle's name, and below `/namespace/` its key. */
  readonly name: string;
}

export function makeBundle(namespace: string, lower: string, upper: string): Bundle {
  const range = `${lower}_${upper}`;
  return { namespace, range, name: `${namespace}/${range}` };
}

/** All bundles of a namespace. */
export function bundlesOf(namespace: string, boundaries: readonly string[]): Bundle[] {
  const bundles: Bundle[] = [];
  for (let i = 0; i + 1 < boundaries.length; i++) {
    bundles.push(makeBundle(namespace, boundaries[i] as string, boundaries[i + 1] as string));
  }
  return bundles;
}

/** The bundle a topic belongs to. The last bundle includes its upper bound. */
export function bundleOf(topic: TopicName, boundaries: readonly string[]): Bundle {
  const hash = bundleHash(topic.toString());
  let low = 0;
  let high = boundaries.length - 2;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (Number(boundaries[middle]) <= hash) low = middle;
    else high = middle - 1;
  }
  return makeBundle(topic.namespace, boundaries[low] as string, boundaries[low + 1] as string);
}
