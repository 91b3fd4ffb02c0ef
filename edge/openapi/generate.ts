/**
 * `npm run openapi`: writes the types of the interface, made of the edge's own document, for `openapi-fetch` and
 * authors of TypeScript clients. Needs no running server.
 */
import { mkdir, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { renderSchema, SCHEMA_FILE } from "./schema.ts";

await mkdir(new URL("./", SCHEMA_FILE), { recursive: true });
await writeFile(SCHEMA_FILE, await renderSchema());
process.stdout.write(`${fileURLToPath(SCHEMA_FILE)} was written\n`);
