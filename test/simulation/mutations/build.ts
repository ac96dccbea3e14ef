import { readFile } from "node:fs/promises";
import { join, relative } from "node:path";
import type { Plugin } from "esbuild";
import { bundle, root } from "../../bundle.ts";
import { type Edit, edited } from "./mutation.ts";

/** Puts edits into the files as they are loaded. */
function editing(edits: readonly Edit[], applied: Set<Edit>): Plugin {
  return {
    name: "editing",
    setup({ onLoad }) {
      onLoad({ filter: /\.ts$/ }, async ({ path }) => {
        const file = relative(root, path).replaceAll("\\", "/");
        const wanted = edits.filter((edit) => edit.file === file);
        if (wanted.length === 0) return undefined;
        let contents = await readFile(path, "utf8");
        for (const edit of wanted) {
          contents = edited(contents, edit);
          applied.add(edit);
        }
        return { contents, loader: "ts" };
      });
    },
  };
}

/** The simulation as one program, with edits made. @throws Error when an edit found nothing to replace. */
export async function buildSimulation(name: string, edits: readonly Edit[]): Promise<string> {
  const outfile = join(root, ".cache", "mutations", `${name.replaceAll(/[^a-zA-Z0-9]+/g, "-")}.mjs`);
  const applied = new Set<Edit>();
  await bundle({ entry: "test/simulation/run.ts", outfile, plugins: [editing(edits, applied)] });
  const missing = edits.filter((edit) => !applied.has(edit));
  if (missing.length > 0) throw new Error(`not part of the simulation: ${missing.map(({ file }) => file).join(", ")}`);
  return outfile;
}
