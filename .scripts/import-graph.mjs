// Owns: which file imports which, as esbuild resolves it. Imports of types only do not count: nothing is loaded by them.
// Does not own: what follows from it (tiers.mjs, and the choice by --changed in test.mjs).
import { build } from "esbuild";

/** The import graph of the files `entries` (paths from `root`) and all that they import. Throws if a file cannot be read. */
export async function readImportGraph(root, entries) {
  const { metafile } = await build({
    stdin: { contents: entries.map((path) => `import "./${path}";`).join("\n"), resolveDir: root, loader: "ts" },
    ...{ absWorkingDir: root, bundle: true, write: false, metafile: true, treeShaking: false, logLevel: "silent" },
    ...{ packages: "external", platform: "node", format: "esm", jsx: "preserve" },
  });
  return makeImportGraph(metafile.inputs);
}

/** `inputs` as in esbuild's metafile: path to `{imports: [{path, external}]}`. */
export function makeImportGraph(inputs) {
  const reached = new Map();
  const importsOf = (path) => inputs[path]?.imports ?? [];

  /** The files that `path` loads, itself included. */
  const filesOf = (path) => {
    const known = reached.get(path);
    if (known !== undefined) return known;
    const files = new Set([path]);
    for (const file of files) for (const { path: next, external } of importsOf(file)) if (!external) files.add(next);
    reached.set(path, files);
    return files;
  };

  /** The packages and Node modules that files among those that `path` loads import; Node's without the prefix `node:`. */
  const packagesOf = (path, isCounted = () => true) => {
    const imports = [...filesOf(path)].filter(isCounted).flatMap(importsOf);
    return new Set(imports.filter(({ external }) => external).map((found) => found.path.replace(/^node:/, "")));
  };

  return { filesOf, packagesOf };
}
