/** Each tidy rule on citations and links finds what it is for. */
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  anchorOf,
  findAbsentCitations,
  findDeadLinks,
  findDeadPaths,
  findUnknownCitations,
  listRuleNumbers,
  namesOf,
} from "./citations.ts";
import { describeFindings, parseSource } from "./source.ts";

const BEHAVIOUR = "## 4. Synthetic OCO\n\n**4.5** One.\n\n**4.5a** Two, see **4.9**.\n";
// Put together, so that this file cites nothing itself.
const CITE = ["behav", "iour"].join("");

test("sections and rules are listed by number", () => {
  assert.deepEqual(listRuleNumbers(BEHAVIOUR), ["4", "4.5", "4.5a"]);
});

test("a citation of a rule that does not exist is found, in a list of numbers too", () => {
  const rule = findUnknownCitations(new Set(listRuleNumbers(BEHAVIOUR)));
  const text = `/** Kept (${CITE} 4.5, 4.5a and 4). */\n// (${CITE} 4.5z), (${CITE} 4.5 and 7.1)\n`;
  assert.deepEqual(describeFindings(rule(parseSource("src/a.ts", text))), [
    `src/a.ts:2 ${CITE} 4.5z does not exist`,
    `src/a.ts:2 ${CITE} 7.1 does not exist`,
  ]);
});

test("a citation of a document that readers do not have is found", () => {
  const words = [`${["deci", "sions"].join("")} 4.5`, `${["spec", "ification"].join("")}, "Limits"`];
  const text = words.map((word) => `// Kept (${word}).`).join("\n");
  assert.equal(findAbsentCitations(parseSource("src/a.ts", text)).length, 2);
  assert.deepEqual(findAbsentCitations(parseSource("src/b.ts", "// A decision is data; the design of the page.")), []);
});

test("a heading is linked to as GitHub names it", () => {
  assert.equal(anchorOf("Your first OCO in five minutes"), "your-first-oco-in-five-minutes");
  assert.equal(anchorOf("5.1 What's *this*?"), "51-whats-this");
});

test("a link to a file or heading that is not there is found", () => {
  const documents = new Map([
    ["README.md", "# Top\n[a](docs/a.md#one) [b](docs/b.md) [c](#top) [d](LICENSE) [e](https://example.com/x)\n"],
    ["docs/a.md", "## One\n[up](../README.md#top)\n[gone](#two)\n"],
  ]);
  assert.deepEqual(describeFindings(findDeadLinks(documents, (path) => path === "LICENSE")), [
    "README.md:2 (docs/b.md) leads nowhere",
    "docs/a.md:3 (#two) leads nowhere",
  ]);
});

test("a file that prose names and that is not there is found, by its name or with folders before it", () => {
  const rule = findDeadPaths(namesOf(["engine/feed/stream/jetstream.ts", "docs/examples/client.py"]));
  const text = [
    "/** As jetstream.ts and stream/jetstream.ts do (engine/feed/stream/jetstream.ts). */",
    'import { a } from "./gone.ts";',
    "// As feed/jetstream.ts and gone.ts do.",
  ].join("\n");
  assert.deepEqual(describeFindings(rule({ path: "src/a.ts", text })), [
    "src/a.ts:3 there is no feed/jetstream.ts",
    "src/a.ts:3 there is no gone.ts",
  ]);
  const document = "Run `python3 docs/examples/client.py`, not `old.py`; see [it](../examples/client.py).";
  assert.deepEqual(describeFindings(rule({ path: "docs/a.md", text: document })), ["docs/a.md:1 there is no old.py"]);
});
