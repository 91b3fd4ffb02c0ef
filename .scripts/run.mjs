// Runs one TypeScript entry point: node .scripts/run.mjs [--development] <entry.ts> [arguments]
// Installs first when that is needed, reads settings from .env where there is one, then loads the entry into this very process: no child process, so signals,
// stdin and the exit code are the entry's own, and killing this process leaves nothing behind.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
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
if (existsSync(join(projectRoot, ".env"))) process.loadEnvFile(join(projectRoot, ".env"));
await ensureInstalled({ development });
const { register } = await import("tsx/esm/api");
register({ tsconfig: join(projectRoot, "tsconfig.json") });
process.argv.splice(1, process.argv.length - 1, entryPath, ...entryArguments);
await import(pathToFileURL(entryPath).href);
