// Declarations of a package's entries, without a type check: every export's type is written in the source
// (isolatedDeclarations), so each file can be turned into its declaration alone. Those are then rolled up, with what the
// entries share in chunks.
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative, resolve } from "node:path";
import { rollup } from "rollup";
import { dts } from "rollup-plugin-dts";
import ts from "typescript";

const root = resolve(import.meta.dirname, "..");
const options = {
  target: ts.ScriptTarget.ES2023,
  module: ts.ModuleKind.ESNext,
  declaration: true,
  isolatedDeclarations: true,
  stripInternal: true,
};
const SPECIFIER = /((?:from|import)\s*\(?\s*)(["'])([^"']+)\2/g;

/** The file a specifier names, where it is one of this repository's own. */
function sourceOf(specifier, importer) {
  if (specifier.startsWith(".")) {
    const file = resolve(dirname(importer), specifier);
    return existsSync(file) ? file : undefined;
  }
  const match = /^(@pulsewire\/(?:protocol|runtime|simulator))(\/.*)?$/.exec(specifier);
  if (match === null) return undefined;
  const folder = join(root, "node_modules", match[1]);
  const { exports } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  return resolve(
    root,
    match[1] === "@pulsewire/protocol" ? "protocol" : `packages/${match[1].split("/")[1]}`,
    exports[match[2] ? `.${match[2]}` : "."].source,
  );
}

const placeOf = (temporary, source) => join(temporary, relative(root, source)).replace(/\.ts$/, ".d.ts");

/** Writes the declarations of a file and of all it imports. */
function emit(source, temporary, seen) {
  if (seen.has(source)) return;
  seen.add(source);
  const { outputText, diagnostics } = ts.transpileDeclaration(readFileSync(source, "utf8"), {
    fileName: source,
    compilerOptions: options,
    reportDiagnostics: true,
  });
  for (const { messageText } of diagnostics ?? []) {
    throw new Error(`${relative(root, source)}: ${ts.flattenDiagnosticMessageText(messageText, "\n")}`);
  }
  // a method named by a symbol comes out a second time, as a property
  const single = outputText.replaceAll(/^ *\[Symbol\.\w+\]: \(.*\) => .*;\n/gm, "");
  const text = single.replaceAll(SPECIFIER, (whole, before, quote, specifier) => {
    const imported = sourceOf(specifier, source);
    if (imported === undefined) return whole;
    emit(imported, temporary, seen);
    const path = relative(dirname(source), imported).replace(/\.ts$/, ".js");
    return `${before}${quote}${path.startsWith(".") ? path : `./${path}`}${quote}`;
  });
  const place = placeOf(temporary, source);
  mkdirSync(dirname(place), { recursive: true });
  writeFileSync(place, text);
}

/**
 * In a namespace that is exported whole, the roll-up keeps only the type of a name that is a type and a value; this puts
 * the value back.
 */
function withValues(text) {
  for (const [line, prefix, name] of text.matchAll(/^type (\w+_d)_(\w+) = \2;$/gm)) {
    if (!text.includes(`declare const ${name}:`)) continue;
    const exported = `${prefix}_${name} as ${name}`;
    text = text
      .replace(line, `declare const ${prefix}_${name}: typeof ${name};\n${line}`)
      .replace(new RegExp(`(declare namespace ${prefix} \\{\\s+export \\{)`), `$1 ${exported},`)
      .replace(new RegExp(`(declare namespace ${prefix} [^}]*\\}[^}]*), ${exported}`), "$1");
  }
  return text;
}

/** @returns Name (without an extension) and text of each entry's declarations and of each chunk's. */
export async function declarations({ folder, entries, external }) {
  const temporary = mkdtempSync(join(tmpdir(), "pulsewire-types-"));
  try {
    const seen = new Set();
    const input = {};
    for (const [name, file] of Object.entries(entries)) {
      const source = resolve(folder, file);
      emit(source, temporary, seen);
      input[name] = placeOf(temporary, source);
    }
    const bundle = await rollup({
      input,
      external: (id) => id.startsWith("node:") || external.some((name) => id === name || id.startsWith(`${name}/`)),
      plugins: [dts({ respectExternal: false, compilerOptions: { ...options, skipLibCheck: true } })],
      onwarn(warning) {
        if (!/CIRCULAR_DEPENDENCY|UNUSED_EXTERNAL_IMPORT|EMPTY_BUNDLE/.test(warning.code))
          console.warn(warning.message);
      },
    });
    const { output } = await bundle.generate({
      format: "es",
      entryFileNames: "[name].js",
      chunkFileNames: "types-[name].js",
    });
    await bundle.close();
    return output.map(({ fileName, code }) => ({
      name: fileName.replace(/(\.d)?\.[jt]s$/, ""),
      text: withValues(code),
    }));
  } finally {
    rmSync(temporary, { recursive: true, force: true });
  }
}
