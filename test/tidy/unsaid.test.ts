/** The rule on texts of the page finds what it is for, and leaves alone what no user reads. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { parseSource } from "./source.ts";
import { findUnsaid } from "./unsaid.ts";

const PATH = "edge/web/dashboard/page/a.tsx";

function textsIn(text: string, path = PATH): readonly string[] {
  return findUnsaid(parseSource(path, text)).map(({ message }) => /"(.*)" is not said/.exec(message)?.[1] ?? "");
}

test("texts of elements, attributes and fields are found, also as a part of an expression", () => {
  const finds = [
    ["const a = <p>Reading {count} rows</p>;", ["Reading", "rows"]],
    ['const a = <p>{isOn ? "On" : "Off"}</p>;', ["On", "Off"]],
    ['const a = <p>{isOn && "On"}</p>;', ["On"]],
    [`const a = <p>{\`\${count} rows\`}</p>;`, ["rows"]],
    ['const a = <input placeholder="laptop" />;', ["laptop"]],
    [`const a = <div aria-label={\`Copy: \${label}\`} />;`, ["Copy:"]],
    ['const a = <Confirm title="Remove" yes={isBuy ? "Yes, cancel it" : "Yes, remove it"} />;', 3],
    ['const a = [{ title: "Name" }, { label: "Address" }];', ["Name", "Address"]],
    ['const fault = "Give a price.";', ["Give a price."]],
    [`const fault = \`The account holds \${lots}.\`;`, ["The account holds"]],
  ] as const;
  for (const [text, expected] of finds) {
    const found = textsIn(text);
    assert.deepEqual(typeof expected === "number" ? found.length : found, expected, text);
  }
});

test("what is said, names, signs, codes and comparisons are fine", () => {
  const harmless = [
    'const a = <p>{say("Reading")} {count} · {part}</p>;',
    'const a = <p class="fault up">{state === "waits" ? say("Waits") : ""}</p>;',
    "const a = <h1>Trading Developer API</h1>;",
    'const a = <input placeholder="tdk_live_…" type="password" />;',
    'const a = { title: say("Name"), name: "name" };',
    'const fault = say("Give a price.");',
    `const path = \`/api/v1/orders?\${query}\`; const key = "order-plan"; import "./a.ts";`,
  ];
  for (const text of harmless) assert.deepEqual(textsIn(text), [], text);
});

test("the page alone has a reader's language", () => {
  const text = "const a = <p>Reading</p>;";
  assert.deepEqual(textsIn(text, "edge/web/dashboard/shell.tsx"), ["Reading"]);
  assert.deepEqual(textsIn(text, "edge/web/a.tsx"), []);
});
