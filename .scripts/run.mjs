// Runs one TypeScript entry point: node .scripts/run.mjs [--development] <entry.ts> [arguments]
// Installs first when that is needed, reads settings from .env where there is one, then loads the entry into this very process: no child process, so signals,
// stdin and the exit code are the entry's own, and killing this process leaves nothing behind.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { parseEnv } from "node:util";
import { ensureInstalled, projectRoot } from "./install.mjs";
import { endWithShell } from "./shell.mjs";

const given = process.argv.slice(2);
const development = given[0] === "--development";
const [entry, ...entryArguments] = development ? given.slice(1) : given;

if (entry === undefined) {
  process.stderr.write("Usage: node .scripts/run.mjs [--development] <entry.ts> [arguments]\n");
  process.exit(64);
}
const entryPath = join(projectRoot, entry);
if (!existsSync(entryPath)) {
  process.stderr.write(`There is no ${entry}.\n`);
  process.exit(64);
}

endWithShell();
// Settings of the environment go before those of the file.
if (existsSync(join(projectRoot, ".env"))) loadSettings(join(projectRoot, ".env"));
await ensureInstalled({ development });
const { register } = await import("tsx/esm/api");
register({ tsconfig: join(projectRoot, "tsconfig.json") });
process.argv.splice(1, process.argv.length - 1, entryPath, ...entryArguments);
await import(pathToFileURL(entryPath).href);

/** Node's own reader replaces bytes that are not UTF-8, and takes a byte order mark for a part of the first name. */
function loadSettings(path) {
  let text;
  try {
    text = new TextDecoder("utf-8", { fatal: true }).decode(readFileSync(path));
  } catch {
    process.stderr.write(`${path} is not UTF-8: save it as UTF-8\n`);
    process.exit(65);
  }
  for (const [name, value] of Object.entries(parseEnv(text))) process.env[name] ??= value;
}
