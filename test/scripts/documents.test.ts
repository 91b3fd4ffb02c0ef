/** The command blocks of the documents, and the directives that state how each is run. */
import assert from "node:assert/strict";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { z } from "zod";

const projectRoot = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const module = z.object({
  findUnmarked: z.function({ input: [z.string()], output: z.array(z.string()) }),
  readBlocks: z.function({
    input: [z.string()],
    output: z.array(z.looseObject({ line: z.number(), kind: z.string() })),
  }),
});
const { findUnmarked, readBlocks } = module.parse(await import(join(projectRoot, ".scripts/documents.mjs")));

test("every command block of the documents is run by the release check, or says why not", () => {
  assert.deepEqual(findUnmarked(projectRoot), []);
});

test("what is said of a block is read", () => {
  const fence = "```";
  const block = (directive: string): string => `${directive}${fence}sh\necho a\n${fence}\n\n`;
  const text = [
    block("<!-- run -->\n"),
    block("<!-- run, sees: a | b c -->\n"),
    block("<!-- background until is ready: npm start -->\n"),
    block("<!-- not run: no server here -->\n"),
    block("<!-- not run: -->\n"),
    block(""),
  ].join("text\n\n");
  assert.deepEqual(
    readBlocks(text).map(({ line: _line, code: _code, ...said }) => said),
    [
      { kind: "run", texts: [] },
      { kind: "run", texts: ["a", "b c"] },
      { kind: "background", until: "is ready", command: "npm start" },
      { kind: "notRun", reason: "no server here" },
      { kind: "unmarked" },
      { kind: "unmarked" },
    ],
  );
});
