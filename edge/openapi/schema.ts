/**
 * The types of the interface as the generated file holds them.
 */
import openapiTs, { astToString, type OpenAPI3 } from "openapi-typescript";
import { readOwnDocument } from "./document.ts";

/** Where they are kept. */
export const SCHEMA_FILE = new URL("./generated/schema.d.ts", import.meta.url);

const HEADER = "/** Made by `npm run openapi` of the edge's own document. Not to be edited by hand. */\n\n";

/** The text of the file, from the routes as they are now. */
export async function renderSchema(): Promise<string> {
  const document = JSON.parse(await readOwnDocument()) as OpenAPI3;
  return HEADER + astToString(await openapiTs(document, { alphabetize: false }));
}
