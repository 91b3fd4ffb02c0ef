/** Log events: the compiler holds code and severity of each line, and the document is made from the declarations. */
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import type { LogEventDeclaration } from "../../../src/runtime/log-event/declaration.ts";
import { DOCUMENT_FILE, renderLogEvents } from "../../../src/runtime/log-event/document.ts";
import { LOG_EVENTS } from "../../../src/runtime/log-event/log-events.ts";
import type { Log } from "../../../src/runtime/ports.ts";

const CODE = /^[a-z][A-Za-z]*\.[a-z][A-Za-z]*$/;

test("a line needs a declared code of its own severity", () => {
  const codes: string[] = [];
  const take = ({ event = "none" }: { readonly event?: string }): void => void codes.push(event);
  const log: Log = { debug: take, info: take, warn: take, error: take };
  log.info({ event: "leader.claimed", partition: 1 }, "declared");
  log.info({ event: "clock.right" }, "declared with two severities");
  log.warn({ event: "clock.right" }, "declared with two severities");
  // @ts-expect-error without a code
  log.info({ partition: 1 }, "no code");
  // @ts-expect-error not declared
  log.info({ event: "leader.unheardOf" }, "unknown");
  // @ts-expect-error declared as info
  log.error({ event: "leader.claimed" }, "another severity");
  assert.deepEqual(codes.slice(0, 3), ["leader.claimed", "clock.right", "clock.right"]);
});

test("a code is a topic and what happened, and its texts are sentences", () => {
  for (const [code, declaration] of Object.entries<LogEventDeclaration>(LOG_EVENTS)) {
    assert.match(code, CODE);
    const texts = [declaration.meaning, ...("action" in declaration ? [declaration.action] : [])];
    for (const text of texts) assert.match(text, /^[A-Z`].*\.$/, code);
  }
});

test("docs/log-events.md is made from the declarations: npm run log-events", async () => {
  const isSame = (await readFile(DOCUMENT_FILE, "utf8")) === renderLogEvents();
  assert.ok(isSame, "docs/log-events.md is out of date: npm run log-events");
});
