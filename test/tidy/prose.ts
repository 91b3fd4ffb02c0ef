/**
 * Owns: the rules on the prose of Markdown documents and of comments: the length of a paragraph, words with a plainer
 * form.
 *
 * Invariant: code is not prose. Blocks of code, targets of links and everything outside of comments do not count.
 */
import ts from "typescript";
import { type Finding, listComments, type Source } from "./source.ts";

/** The most words that a paragraph has. A longer one becomes a list, a table or several paragraphs. */
export const MOST_WORDS_A_PARAGRAPH = 80;

/** The most words that nine of ten sentences of a document have. */
const MOST_WORDS_A_SENTENCE = 25;

const FENCE = /^(?:```|~~~)/;
const LIST_ITEM = /^(?:[-*+]|\d+\.)\s/;
const CELL_BORDER = /(?<!\\)\|/;
const CODE_SPAN = /`[^`]*`/g;
const LINK_TARGET = /\]\([^)]*\)/g;

/** One paragraph, list item or table cell; `line` is its first and counts from 1. */
type Paragraph = { readonly line: number; readonly text: string };

/** The line without the mark of a quotation before it. */
function unquote(line: string): string {
  return line.trim().replace(/^(?:>\s*)+/, "");
}

/**
 * Lists paragraphs, list items and table cells of a Markdown document, in order. Code blocks and headings are left out.
 */
export function listParagraphs(document: string): Paragraph[] {
  const found: Paragraph[] = [];
  let open: { line: number; text: string } | undefined;
  let isCode = false;
  for (const [index, raw] of document.split("\n").entries()) {
    const text = unquote(raw);
    const line = index + 1;
    if (FENCE.test(text)) isCode = !isCode;
    if (isCode || FENCE.test(text) || text === "" || text.startsWith("#")) {
      open = undefined;
    } else if (text.startsWith("|")) {
      open = undefined;
      found.push(...text.split(CELL_BORDER).map((cell) => ({ line, text: cell.trim() })));
    } else if (open === undefined || LIST_ITEM.test(text)) {
      open = { line, text };
      found.push(open);
    } else {
      open.text += ` ${text}`;
    }
  }
  return found.filter(({ text }) => text !== "");
}

function countWords(text: string): number {
  return text.replaceAll(LINK_TARGET, "]").split(/\s+/).filter(Boolean).length;
}

/** Finds paragraphs, list items and table cells of a document that have more words than a reader takes in. */
export function findLongParagraphs({ path, text }: { readonly path: string; readonly text: string }): Finding[] {
  return listParagraphs(text).flatMap((paragraph) => {
    const words = countWords(paragraph.text);
    if (words <= MOST_WORDS_A_PARAGRAPH) return [];
    const message = `a paragraph of ${words} words: at most ${MOST_WORDS_A_PARAGRAPH}; make it a list, a table or several`;
    return [{ path, line: paragraph.line, message }];
  });
}

const SENTENCE_END = /(?<=[.!?:;])\s+/;
/** A shorter one is a label or the name of a column. */
const LEAST_WORDS_A_SENTENCE = 4;

/** Finds a document of which more than one sentence in ten is long. */
export function findLongSentences({ path, text }: { readonly path: string; readonly text: string }): Finding[] {
  const sentences = listParagraphs(text).flatMap((paragraph) =>
    paragraph.text
      .replaceAll(LINK_TARGET, "]")
      .split(SENTENCE_END)
      .map((sentence) => ({ line: paragraph.line, words: countWords(sentence) }))
      .filter(({ words }) => words >= LEAST_WORDS_A_SENTENCE),
  );
  const long = sentences.filter(({ words }) => words > MOST_WORDS_A_SENTENCE);
  if (long.length <= sentences.length / 10) return [];
  return long.map(({ line, words }) => ({
    path,
    line,
    message: `a sentence of ${words} words: at most one in ten has more than ${MOST_WORDS_A_SENTENCE}`,
  }));
}

/** Words that have a plainer form, each group with what to write in its place. */
const WORDY: readonly { readonly pattern: RegExp; readonly instead: string }[] = [
  { pattern: /\b(?:tell|tells|told|telling)\b/gi, instead: "notify, report, log, emit, return" },
  { pattern: /\bsa(?:y|ys|id|ying)\b/gi, instead: "contain, state, return" },
  { pattern: /\b(?:one that|those of|that of|those that)\b/gi, instead: "repeat the noun" },
  { pattern: /\b(?:hear|hears|heard|hearing)\b/gi, instead: "receive, subscribe" },
  { pattern: /\b(?:stand|stands|stood)\b/gi, instead: "be, is stored, is at" },
  {
    pattern: /\b(?:whoever|whatever|nobody|somebody)\b/gi,
    instead: "callers, any, no client, an operator",
  },
  {
    pattern: /\b(?:is none|has none|is no(?! longer)|are none)\b/gi,
    instead: "is missing, is not a, does not exist",
  },
  { pattern: /\bat once\b/gi, instead: "immediately; together" },
  { pattern: /\b(?:go|goes|going|went) on\b/gi, instead: "continue" },
  {
    pattern: /\b(?:meanwhile|anew|all the same|in vain|but for|for ever|lately|beside)\b/gi,
    instead: "while X runs, again, anyway, without effect, except, forever, recently, next to",
  },
  { pattern: /\b(?:becomes|became|become) of\b/gi, instead: "the result of, the outcome" },
  { pattern: /\b(?:dear|dearer|cheap|cheaper)\b/gi, instead: "expensive, inexpensive" },
  { pattern: /\bto be had\b/gi, instead: "if installed, available" },
  { pattern: /\b(?:a look(?!-)|in words|a word of)\b/gi, instead: "lookup, as text, message" },
];

/** Finds the words of a document's prose that have a plainer form, with what to write in their place. */
export function findWordyPhrases({ path, text }: { readonly path: string; readonly text: string }): Finding[] {
  return listParagraphs(text).flatMap((paragraph) => {
    const prose = paragraph.text.replaceAll(CODE_SPAN, "").replaceAll(LINK_TARGET, "]");
    return WORDY.flatMap(({ pattern, instead }) =>
      [...prose.matchAll(pattern)].filter(isWhole).map(([phrase]) => ({
        path,
        line: paragraph.line,
        message: `"${phrase}" has a plainer form: ${instead}`,
      })),
    );
  });
}

const COMMENT_MARK = /^\s*(?:\/\*\*?|\*\/|\*(?!\*)|\/\/)|\*\/$/g;

/** Finds the words of a file's comments that have a plainer form. Consecutive lines of comments are one paragraph. */
export function findWordyComments(source: Source): Finding[] {
  const lines = source.text.split("\n").map(() => "");
  for (const { pos, end } of listComments(source)) {
    const first = source.tree.getLineAndCharacterOfPosition(pos).line;
    for (const [index, line] of source.text.slice(pos, end).split("\n").entries()) {
      lines[first + index] += line.replaceAll(COMMENT_MARK, "");
    }
  }
  return findWordyPhrases({ path: source.path, text: lines.join("\n") });
}

/** Finds the words of a program's texts, as log lines and messages, that have a plainer form. A text has two words at least. */
export function findWordyTexts({ path, tree }: Source): Finding[] {
  const found: Finding[] = [];
  const visit = (node: ts.Node): void => {
    const text = textOf(node);
    if (text !== undefined && /\w \w/.test(text)) {
      const { line } = tree.getLineAndCharacterOfPosition(node.getStart(tree));
      for (const { message } of findWordyPhrases({ path, text })) found.push({ path, line: line + 1, message });
    }
    ts.forEachChild(node, visit);
  };
  visit(tree);
  return found;
}

/** The text of a literal; an expression within it counts as one word. */
function textOf(node: ts.Node): string | undefined {
  if (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node) || ts.isJsxText(node)) return node.text;
  if (!ts.isTemplateExpression(node)) return undefined;
  return node.head.text + node.templateSpans.map(({ literal }) => `X${literal.text}`).join("");
}

/** In a pattern only Latin letters without a mark belong to a word: `say` would be found in the Turkish `sayılır`. */
function isWhole({ 0: phrase, index, input }: RegExpExecArray): boolean {
  const around = [input.slice(0, index).at(-1), input.slice(index + phrase.length).at(0)];
  return !around.some((character) => character !== undefined && /\p{L}/u.test(character));
}
