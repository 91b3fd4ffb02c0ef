/** The same ticks make the same orders, pairs and history, also with an engine that is killed again and again. */
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const REPLAY = fileURLToPath(new URL("./replay-run.ts", import.meta.url));
const OUTPUT_BYTES_MAX = 256 * 1024 * 1024;

interface Outcome {
  readonly orders: readonly string[];
  readonly openPairs: readonly string[];
  readonly history: readonly string[];
  readonly rows: readonly string[];
}

async function replay(killSeed?: number): Promise<Outcome> {
  const seed = killSeed === undefined ? [] : [String(killSeed)];
  const options = { maxBuffer: OUTPUT_BYTES_MAX };
  const { stdout } = await promisify(execFile)(process.execPath, ["--import", "tsx", REPLAY, ...seed], options);
  return JSON.parse(stdout) as Outcome;
}

test("100,000 ticks over 1,000 bots and 1,000 setups end the same, also with 20 kills in between", async () => {
  const [steady, killed] = await Promise.all([replay(), replay(3)]);
  for (const [what, rows] of Object.entries(steady)) assert.ok(rows.length > 1_000, `${what} were made`);
  assert.deepEqual(killed, steady);
});
