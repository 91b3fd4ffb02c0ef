/** `npm run log-events`: writes docs/log-events.md from the declarations of the log events. */
import { writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { DOCUMENT_FILE, renderLogEvents } from "./document.ts";

await writeFile(DOCUMENT_FILE, renderLogEvents());
process.stdout.write(`${fileURLToPath(DOCUMENT_FILE)} was written\n`);
