/** The log of a process whose lines are read from a pipe: they are written together, and none is lost when it ends. */
import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { createLog } from "../../src/runtime/log.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));

/** A process that logs: `script` is its code, `log` its log. */
function logging(script: string): ChildProcess {
  const code = `import { createLog } from "./src/runtime/log.ts"; const log = createLog({ level: "info" }, "test"); ${script}`;
  const options = ["--import", "tsx", "--input-type=module", "--eval", code];
  return spawn(process.execPath, options, { cwd: ROOT, stdio: ["ignore", "pipe", "pipe"] });
}

async function linesOf({ stdout }: ChildProcess): Promise<unknown[]> {
  const numbers: unknown[] = [];
  if (stdout === null) return numbers;
  for await (const line of createInterface({ input: stdout })) numbers.push(JSON.parse(line).number);
  return numbers;
}

test("a line reaches its reader though no other follows it", async () => {
  const child = logging(`log.info({ number: 1 }, "alone"); setInterval(() => undefined, 1_000);`);
  try {
    assert.ok(child.stdout);
    const [text] = await once(child.stdout, "data");
    assert.equal(JSON.parse(String(text)).number, 1);
  } finally {
    child.kill("SIGKILL");
  }
});

test("all lines reach their reader when the process ends at once, and in order", async () => {
  const count = 2_000;
  const child = logging(
    `for (let number = 0; number < ${count}; number += 1) log.info({ number }, "x"); process.exit(3);`,
  );
  const exited = once(child, "exit");
  assert.deepEqual(
    await linesOf(child),
    Array.from({ length: count }, (_, number) => number),
  );
  assert.deepEqual(await exited, [3, null]);
});

test("a process whose log nobody reads any more ends all the same", async () => {
  const child = logging(
    `process.once("SIGTERM", () => { for (let number = 0; number < 2_000; number += 1) log.info({ number }, "x"); process.exit(3); });
    process.stderr.write("waits"); setInterval(() => undefined, 1_000);`,
  );
  child.stdout?.destroy();
  await once(child.stderr ?? child, "data");
  const exited = once(child, "exit");
  child.kill("SIGTERM");
  assert.deepEqual(await exited, [3, null]);
});

test("a process whose log is read no further ends all the same", async () => {
  const child = logging(
    `process.stderr.write("waits"); for (let number = 0; number < 20_000; number += 1) log.info({ number }, "x"); process.exit(3);`,
  );
  const exited = once(child, "exit");
  try {
    assert.deepEqual(await exited, [3, null]);
  } finally {
    child.kill("SIGKILL");
  }
});

test("a line has every key once, whatever its fields are called", () => {
  const lines: string[] = [];
  const log = createLog({ level: "info" }, "test", { write: (line) => void lines.push(line) });
  log.info(
    { event: "engine.ready", name: "engine-a", time: "now", level: "high", pid: 0, msg: "other", symbol: "A" },
    "text",
  );
  log.error({ event: "request.failed", err: new Error("broken") }, "failed");
  const [line = "", failed = ""] = lines;
  const keys = [...line.matchAll(/"(\w+)":/g)].map(([, key]) => key);
  assert.equal(new Set(keys).size, keys.length, line);
  const { name, msg, symbol, field_name } = JSON.parse(line);
  assert.deepEqual(
    { name, msg, symbol, field_name },
    { name: "test", msg: "text", symbol: "A", field_name: "engine-a" },
  );
  assert.equal(JSON.parse(failed).err.message, "broken");
});
