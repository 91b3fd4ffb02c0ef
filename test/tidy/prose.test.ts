/** Each tidy rule on the prose of documents finds what it is for. */
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  findLongParagraphs,
  findLongSentences,
  findWordyComments,
  findWordyPhrases,
  findWordyTexts,
  listParagraphs,
  MOST_WORDS_A_PARAGRAPH,
} from "./prose.ts";
import { describeFindings, parseSource } from "./source.ts";

const LONGEST = Array.from({ length: MOST_WORDS_A_PARAGRAPH }, (_, index) => `word${index}`).join(" ");

const findIn = (text: string): string[] => describeFindings(findLongParagraphs({ path: "docs/a.md", text }));

test("a paragraph with one word more than allowed is found, with its line", () => {
  assert.deepEqual(findIn(`# Title\n\nShort.\n\n${LONGEST}\n`), []);
  assert.deepEqual(findIn(`# Title\n\nShort.\n\n${LONGEST}\nmore\n`), [
    "docs/a.md:5 a paragraph of 81 words: at most 80; make it a list, a table or several",
  ]);
});

test("a long list item, table cell and quotation are found", () => {
  assert.equal(findIn(`- one\n- ${LONGEST}\n`).length, 1);
  assert.equal(findIn(`1. one\n   - ${LONGEST} more\n`).length, 1);
  assert.equal(findIn(`| a | ${LONGEST} more |\n`).length, 1);
  assert.equal(findIn(`> ${LONGEST}\n> more\n`).length, 1);
});

test("items, cells and paragraphs are counted each by itself; code and the targets of links are not counted", () => {
  assert.deepEqual(findIn(`- ${LONGEST.slice(0, 200)}\n- ${LONGEST.slice(0, 300)}\n`), []);
  assert.deepEqual(findIn(`| ${LONGEST} | ${LONGEST} |\n`), []);
  assert.deepEqual(findIn(`${"```"}sh\n${LONGEST} more\n${"```"}\n`), []);
  assert.deepEqual(findIn(`${LONGEST.replace("word0", "[word0](a b c)")}\n`), []);
});

test("the lines of a paragraph belong together until a blank line, a heading, a list, a table or code", () => {
  const text = "One\ntwo\n# Title\nthree\n- four\n  five\n| six \\| seven | eight |\nnine\n```\nten\n```\neleven\n";
  assert.deepEqual(
    listParagraphs(text).map((paragraph) => paragraph.text),
    ["One two", "three", "- four five", "six \\| seven", "eight", "nine", "eleven"],
  );
});

test("a document of which more than one sentence in ten is long is found, with the lines of those sentences", () => {
  const short = "This one is short enough.\n\n".repeat(9);
  const long = `${LONGEST.split(" ").slice(0, 26).join(" ")}.\n\n`;
  const find = (text: string): string[] => describeFindings(findLongSentences({ path: "docs/a.md", text }));
  assert.deepEqual(find(`${long}${short}`), []);
  assert.deepEqual(find(`${long}${short}${long}`), [
    "docs/a.md:1 a sentence of 26 words: at most one in ten has more than 25",
    "docs/a.md:21 a sentence of 26 words: at most one in ten has more than 25",
  ]);
});

test("a part of a Turkish word is no word with a plainer form", () => {
  const find = (text: string) => describeFindings(findWordyPhrases({ path: "docs/a.md", text }));
  assert.deepEqual(find("Kaybolmuş sayılır; satış sayısı.\n"), []);
  assert.deepEqual(find("They say it.\n"), ['docs/a.md:1 "say" has a plainer form: contain, state, return']);
});

test("words with a plainer form are found in prose with what to write, and not in code", () => {
  const text = "Nobody hears it.\n\n- It sells at once.\n\n`told` [tolerant](told.md)\n\n```\ntold\n```\n";
  assert.deepEqual(describeFindings(findWordyPhrases({ path: "docs/a.md", text })), [
    'docs/a.md:1 "hears" has a plainer form: receive, subscribe',
    'docs/a.md:1 "Nobody" has a plainer form: callers, any, no client, an operator',
    'docs/a.md:3 "at once" has a plainer form: immediately; together',
  ]);
});

test("words with a plainer form are found in comments, also across lines, and not in code and strings", () => {
  const text = [
    "/**",
    " * Nothing wordy. It sells at",
    " * once.",
    " */",
    'const told = "whoever"; // It stands here.',
    "const told2 = `/* told */`;",
    "// `told` is code.",
    "/* in vain */",
  ].join("\n");
  assert.deepEqual(describeFindings(findWordyComments(parseSource("src/a.ts", text))), [
    'src/a.ts:2 "at once" has a plainer form: immediately; together',
    'src/a.ts:5 "stands" has a plainer form: be, is stored, is at',
    'src/a.ts:7 "in vain" has a plainer form: while X runs, again, anyway, without effect, except, forever, recently, next to',
  ]);
});

test("a wordy text of the program is found in strings, templates and elements, a name or a single word is not", () => {
  const text = [
    'const say = "tell"; // told',
    'log.info("nobody answers at once");',
    `const text = \`it \${name} goes on \${say}\`;`,
    "const view = <p>what it says</p>;",
  ].join("\n");
  assert.deepEqual(
    findWordyTexts(parseSource("edge/a.tsx", text)).map(({ line, message }) => `${line} ${message.split(" has")[0]}`),
    ['2 "nobody"', '2 "at once"', '3 "goes on"', '4 "says"'],
  );
});
