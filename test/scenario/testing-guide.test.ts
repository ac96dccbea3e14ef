import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { describe, vi } from "vitest";

const guide = readFileSync(join(import.meta.dirname, "..", "..", "docs", "guides", "testing.md"), "utf8");

/** The blocks of the guide that are tests of vitest: they register their tests when they are imported. */
const BLOCKS = [...guide.matchAll(/```js\n([\s\S]*?)```/g)]
  .map(([, code = ""]) => code)
  .filter((code) => /from "(vitest|@pulsewire\/server\/vitest)"/.test(code));
if (BLOCKS.length === 0) throw new Error("the guide has no tests of vitest");

vi.setConfig({ testTimeout: 30_000 });

describe.each(BLOCKS.map((code, i) => [i + 1, code] as const))(
  "the testing guide's tests, block %i",
  async (i, code) => {
    const file = join(import.meta.dirname, `.testing-guide-${i}.mjs`);
    writeFileSync(file, code);
    try {
      await import(/* @vite-ignore */ pathToFileURL(file).href);
    } finally {
      rmSync(file);
    }
  },
);
