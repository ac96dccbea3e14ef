import type { MetadataStat } from "./metadata-store.ts";

/** One key that holds a value. */
export interface StoredValue {
  value: Uint8Array;
  stat: MetadataStat;
  /** The session an ephemeral key belongs to. */
  owner: number | undefined;
}

interface TreeNode {
  stored: StoredValue | undefined;
  children: Map<string, TreeNode>;
}

const newNode = (): TreeNode => ({ stored: undefined, children: new Map() });

/** The names of a key, from the root. `/a/b` is `a`, `b`. */
function namesOf(key: string): string[] {
  return key.split("/").filter((name) => name !== "");
}

/** Values under slash-separated keys. A key on the way to another exists as a folder without a value. */
export class KeyTree {
  readonly #root: TreeNode = newNode();

  get(key: string): StoredValue | undefined {
    return this.#find(key)?.stored;
  }

  set(key: string, stored: StoredValue): void {
    let node = this.#root;
    for (const name of namesOf(key)) {
      let child = node.children.get(name);
      if (child === undefined) {
        child = newNode();
        node.children.set(name, child);
      }
      node = child;
    }
    node.stored = stored;
  }

  /** Removes the value, and the folders that held nothing else. */
  delete(key: string): void {
    const names = namesOf(key);
    const path: TreeNode[] = [this.#root];
    for (const name of names) {
      const child = (path.at(-1) as TreeNode).children.get(name);
      if (child === undefined) return;
      path.push(child);
    }
    (path.at(-1) as TreeNode).stored = undefined;
    for (let i = path.length - 1; i > 0; i--) {
      const node = path[i] as TreeNode;
      if (node.stored !== undefined || node.children.size > 0) return;
      (path[i - 1] as TreeNode).children.delete(names[i - 1] as string);
    }
  }

  /** Names directly below a key, sorted. */
  children(key: string): string[] {
    return [...(this.#find(key)?.children.keys() ?? [])].sort();
  }

  #find(key: string): TreeNode | undefined {
    let node: TreeNode | undefined = this.#root;
    for (const name of namesOf(key)) {
      node = node.children.get(name);
      if (node === undefined) return undefined;
    }
    return node;
  }
}
