/** The colours of the style sheet: each pair of colours that must differ has the contrast that WCAG 2.1 asks for. */
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";

const STYLE = new URL("../../../edge/web/dashboard/style/base.css", import.meta.url);
const TEXT = 4.5;
/** Edges of fields (1.4.11). */
const EDGE = 3;

/** The relative luminance of `#rrggbb`. */
function luminanceOf(color: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const channel = Number.parseInt(color.slice(at, at + 2), 16) / 255;
    return channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrastOf(one: string, other: string): number {
  const [darker = 0, lighter = 0] = [luminanceOf(one), luminanceOf(other)].sort((left, right) => left - right);
  return (lighter + 0.05) / (darker + 0.05);
}

test("texts, placeholders and edges of fields have enough contrast in both schemes", async () => {
  const style = await readFile(STYLE, "utf8");
  const schemes = [":root {", ':root[data-scheme="dark"] {'].map((start) => {
    const [block = ""] = style.slice(style.indexOf(start)).split("}");
    return new Map([...block.matchAll(/--([a-z-]+): (#[0-9a-f]{6});/g)].map(([, name, color]) => [name, color]));
  });
  for (const colors of schemes) {
    for (const [front, back, least] of [
      ["text", "surface", TEXT],
      ["text-muted", "surface", TEXT],
      ["text-muted", "raised", TEXT],
      ["on-accent", "accent", TEXT],
      ["on-accent", "good", TEXT],
      ["on-accent", "bad", TEXT],
      ["edge", "page", EDGE],
      ["edge", "surface", EDGE],
      ["edge", "raised", EDGE],
    ] as const) {
      const contrast = contrastOf(colors.get(front) ?? "", colors.get(back) ?? "");
      assert.ok(contrast >= least, `${front} on ${back}: ${contrast}`);
    }
  }
  assert.match(style, /input, select \{ border-color: var\(--edge\)/);
  assert.match(style, /::placeholder \{ color: var\(--text-muted\); opacity: 1/);
});
