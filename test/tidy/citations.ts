/**
 * Owns: the rules on what comments, tests and documents refer to: numbered rules of docs/behaviour.md, links, and
 * files.
 *
 * Invariant: every citation leads somewhere. A document that is not in the repository is never cited.
 */
import type { Finding, Source, SourceRule } from "./source.ts";

/** `behaviour 4.5a`, and lists of numbers after the word: `behaviour 4.4, 4.5 and 9`. */
const CITATION = /\bbehaviour ((?:\d+(?:\.\d+[a-z]?)?(?:, | and |; )?)+)/g;
const NUMBER = /\d+(?:\.\d+[a-z]?)?/g;
const RULE = /^\*\*(\d+\.\d+[a-z]?)\*\*/gm;
const SECTION = /^## (\d+)\. /gm;
const LINK = /\]\((?!https?:|mailto:)([^)#\s]*)(?:#([^)\s]*))?\)/g;

/** Lists the numbers of all sections and rules of docs/behaviour.md; a number that occurs twice is listed twice. */
export function listRuleNumbers(behaviour: string): string[] {
  return [...behaviour.matchAll(SECTION), ...behaviour.matchAll(RULE)].map(([, number]) => number ?? "");
}

function lineOf(text: string, position: number): number {
  return text.slice(0, position).split("\n").length;
}

/** Finds citations of rules that docs/behaviour.md does not have. */
export function findUnknownCitations(numbers: ReadonlySet<string>): SourceRule {
  return ({ path, text }: Source): Finding[] =>
    [...text.matchAll(CITATION)].flatMap((citation) =>
      [...(citation[1] ?? "").matchAll(NUMBER)]
        .filter(([number]) => !numbers.has(number))
        .map(([number]) => ({
          path,
          line: lineOf(text, citation.index),
          message: `behaviour ${number} does not exist`,
        })),
    );
}

/** The name by which a heading of a Markdown document is linked to. */
export function anchorOf(heading: string): string {
  const words = heading
    .trim()
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, "");
  return words.replaceAll(" ", "-");
}

/**
 * Finds links of Markdown documents that lead nowhere: to a missing file, or to a heading that the file does not have.
 * `documents` holds the text of every document by its path; `isThere` returns whether another path exists.
 */
export function findDeadLinks(documents: ReadonlyMap<string, string>, isThere: (path: string) => boolean): Finding[] {
  const anchors = (text: string): Set<string> =>
    new Set([...text.matchAll(/^#+ (.*)$/gm)].map(([, heading]) => anchorOf(heading ?? "")));
  return [...documents].flatMap(([path, text]) =>
    [...text.matchAll(LINK)].flatMap((link) => {
      const [, file = "", anchor] = link;
      const target = file === "" ? path : new URL(file, `file:///${path}`).pathname.slice(1);
      const found = documents.get(target);
      const isAlive = found === undefined ? isThere(target) : anchor === undefined || anchors(found).has(anchor);
      return isAlive ? [] : [{ path, line: lineOf(text, link.index), message: `${link[0].slice(1)} leads nowhere` }];
    }),
  );
}

/** A document that readers do not have. */
const ABSENT = /\b(?:decisions? \d|[Ss]pecification, "|[Ss]pecification(?:'s)? rules? \d|\(design[,)]|design, ["\w])/g;

/** Finds citations of documents that are not in the repository. */
export function findAbsentCitations({ path, text }: Source): Finding[] {
  return [...text.matchAll(ABSENT)].map(({ 0: cited, index }) => ({
    path,
    line: lineOf(text, index),
    message: `${cited} cites a document that is not in the repository`,
  }));
}

const COMMENT = /\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/.*$/gm;
/** A file of code as prose names it: by its name, or with some or all of the folders that it is in. */
const CODE_FILE = /(?<![\w/.@<{*-])(?:[\w-][\w.-]*\/)*[\w-]+(?:\.test)?\.(?:ts|tsx|mjs|py)\b/g;

/** All ways to name these files: each path, and every end of it that begins with a folder or the file. */
export function namesOf(paths: readonly string[]): ReadonlySet<string> {
  return new Set(
    paths.flatMap((path) => {
      const parts = path.split("/");
      return parts.map((_, index) => parts.slice(index).join("/"));
    }),
  );
}

/** Finds names of code files in a comment, or in the whole text of a document, whose file is missing. */
export function findDeadPaths(
  names: ReadonlySet<string>,
): (source: { readonly path: string; readonly text: string }) => Finding[] {
  return ({ path, text }) => {
    const prose = path.endsWith(".md") ? [{ 0: text, index: 0 }] : [...text.matchAll(COMMENT)];
    return prose.flatMap(({ 0: words, index }) =>
      [...words.matchAll(CODE_FILE)]
        .filter(([named]) => !names.has(named))
        .map((named) => ({ path, line: lineOf(text, index + named.index), message: `there is no ${named[0]}` })),
    );
  };
}
