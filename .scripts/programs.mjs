// Owns: our programs as bundles that the tests start. A start from the sources takes 1.6 s of a core, that of a bundle 0.5 s.
// Does not own: which tests start which program (test/support/machine/process.ts).

import { chmodSync, existsSync, mkdtempSync, readFileSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "esbuild";
import { projectRoot } from "./install.mjs";

/** A script of package.json that starts a program of the product. */
const PROGRAM = /^node \.scripts\/run\.mjs (\S+\.ts)$/;

/** The programs of the product, as paths from the project's folder. */
function listPrograms() {
  const { scripts = {} } = JSON.parse(readFileSync(join(projectRoot, "package.json"), "utf8"));
  const entries = Object.values(scripts).flatMap((script) => PROGRAM.exec(script)?.[1] ?? []);
  return [...new Set(entries)].filter((entry) => existsSync(join(projectRoot, entry)));
}

/** A module finds the files around it as from its source. */
const ownAddress = {
  name: "own-address",
  setup: ({ onLoad }) =>
    onLoad({ filter: /\.ts$/ }, ({ path }) => {
      const text = readFileSync(path, "utf8").replaceAll("import.meta.url", JSON.stringify(pathToFileURL(path).href));
      return { contents: text, loader: "ts" };
    }),
};

/** Bundles each program into a folder of its own, which the caller removes. Returns the folder; undefined: none is there. */
export async function buildPrograms() {
  const entryPoints = listPrograms();
  if (entryPoints.length === 0) return undefined;
  const folder = mkdtempSync(join(tmpdir(), "trading-programs-"));
  // Tests start some programs as another user.
  chmodSync(folder, 0o755);
  symlinkSync(join(projectRoot, "node_modules"), join(folder, "node_modules"), "junction");
  await build({
    absWorkingDir: projectRoot,
    entryPoints,
    outbase: projectRoot,
    outdir: folder,
    outExtension: { ".js": ".mjs" },
    bundle: true,
    splitting: true,
    keepNames: true,
    packages: "external",
    plugins: [ownAddress],
    platform: "node",
    format: "esm",
    target: "es2023",
    logLevel: "warning",
  });
  return folder;
}
