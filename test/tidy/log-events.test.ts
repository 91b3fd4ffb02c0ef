/** The rules on log events find what is declared twice or never logged. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { findRepeatedCodes, findUnloggedCodes } from "./log-events.ts";
import { parseSource } from "./source.ts";

const table = (text: string, name = "a") => parseSource(`src/runtime/log-event/${name}.ts`, text);

test("a code that two tables declare is found at the second", () => {
  const found = findRepeatedCodes([
    table('const a = { "a.b": {},\n"a.c": {} };'),
    table('const b = { "a.b": {} };', "b"),
  ]);
  assert.deepEqual(found, [{ path: "src/runtime/log-event/b.ts", line: 1, message: "a.b is declared before" }]);
});

test("a declared code that no line of the product logs is found", () => {
  const declared = table('const a = { "a.b": {}, "a.c": {} };');
  const one = parseSource("engine/a.ts", 'log.info({ event: "a.b" }, "text");');
  const other = (path: string) => parseSource(path, 'const fields = { event: "a.c" as const };');
  const emitted = parseSource("engine/b.ts", 'emit("a.c", {});');
  const [found] = findUnloggedCodes([declared, one, other("test/a.ts"), emitted]);
  assert.equal(found?.message, "a.c is declared, and no line logs it");
  assert.deepEqual(findUnloggedCodes([declared, one, other("edge/a.ts")]), []);
});

test("a file that hands codes on logs all that it names", () => {
  const declared = table('const a = { "a.b": {} };');
  const text = 'function warn(event: LogEvent): void { log.warn({ event }, "text"); }\nwarn("a.b");';
  assert.deepEqual(findUnloggedCodes([declared, parseSource("engine/a.ts", text)]), []);
});
