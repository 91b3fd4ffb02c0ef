// Owns: which command blocks the documents have, and what a comment before each says of running it.
// Does not own: running them (release-check.mjs).
//
// Before a block of commands stands one of:
//   <!-- run -->                          it must end well
//   <!-- run, sees: A | B -->             and what it prints holds each of these texts
//   <!-- background until X: command -->  this command is started instead and goes on; its output comes to hold X
//   <!-- not run: reason -->
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const BLOCK = /^(?:<!-- (?<directive>.*?) -->\n)?```sh\n(?<code>[\s\S]*?)^```$/gm;
const SEES = /^run, sees: (?<texts>.+)$/;
const BACKGROUND = /^background until (?<until>.+?): (?<command>.+)$/;
const NOT_RUN = /^not run: (?<reason>.+)$/;

/** The documents in the order in which a reader follows them: the README first. */
export function listDocuments(root) {
  const pages = readdirSync(join(root, "docs"), { recursive: true })
    .map((name) => `docs/${name.replaceAll("\\", "/")}`)
    .filter((name) => name.endsWith(".md"))
    .sort();
  return ["README.md", ...pages];
}

/** Every command block of a document: its line, its code, and what is to be done with it. Unmarked: kind "unmarked". */
export function readBlocks(text) {
  return [...text.matchAll(BLOCK)].map(({ index, groups }) => {
    const line = text.slice(0, index).split("\n").length;
    return { line, code: groups.code, ...readDirective(groups.directive) };
  });
}

/** What a comment says; one that says none of the known things is `unmarked` too. */
function readDirective(directive) {
  if (directive === "run") return { kind: "run", texts: [] };
  const sees = SEES.exec(directive ?? "")?.groups;
  if (sees !== undefined) return { kind: "run", texts: sees.texts.split(" | ") };
  const background = BACKGROUND.exec(directive ?? "")?.groups;
  if (background !== undefined) return { kind: "background", until: background.until, command: background.command };
  const notRun = NOT_RUN.exec(directive ?? "")?.groups;
  return notRun === undefined ? { kind: "unmarked" } : { kind: "notRun", reason: notRun.reason };
}

/** `document:line` of each block that nothing is said of. */
export function findUnmarked(root) {
  return listDocuments(root).flatMap((document) =>
    readBlocks(readFileSync(join(root, document), "utf8"))
      .filter(({ kind }) => kind === "unmarked")
      .map(({ line }) => `${document}:${line}`),
  );
}
