// tier: real
/** Several edges with one Redis count together; without it each counts alone. */
import assert from "node:assert/strict";
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { Redis } from "ioredis";
import { Limits } from "../../../edge/middleware/limits.ts";
import { untilTrue } from "../../support/machine/until-true.ts";

const quota = { code: "A", name: "A", ordersPerMinute: 10, portfolioIntervalSeconds: 1 };
const isMissing = spawnSync("redis-server", ["--version"]).error !== undefined;

/** Starts a server on its own socket: another process can take a free port before the server listens on it. */
function startRedis(t: TestContext): { readonly path: string; readonly process: ChildProcess } {
  const folder = mkdtempSync(join(tmpdir(), "trading-edge-redis-"));
  const path = join(folder, "redis.sock");
  const options = ["--port", "0", "--unixsocket", path, "--save", "", "--dir", folder];
  const process = spawn("redis-server", options, { stdio: "ignore" });
  t.after(() => {
    process.kill("SIGKILL");
    rmSync(folder, { recursive: true });
  });
  return { path, process };
}

async function limitsOver(t: TestContext, path: string): Promise<Limits> {
  const redis = new Redis(path, {
    enableOfflineQueue: false,
    maxRetriesPerRequest: 1,
  });
  redis.on("error", () => undefined);
  t.after(() => redis.disconnect());
  await untilTrue(() => redis.status === "ready");
  return new Limits({ redis, findBrokerage: async () => quota });
}

test("two edges share a window; a batch that does not fit is given back; without Redis each counts alone", {
  skip: isMissing && "redis-server is not installed",
}, async (t) => {
  const { path, process } = startRedis(t);
  const [first, second] = [await limitsOver(t, path), await limitsOver(t, path)];
  assert.equal((await first.orders(1, "A", 6))?.remaining, 4);
  const over = await second.orders(1, "A", 5);
  assert.deepEqual([over?.isAllowed, over?.remaining], [false, 4]);
  assert.equal((await second.orders(1, "A", 4))?.remaining, 0);
  assert.equal((await first.orders(1, "A", 1))?.isAllowed, false);
  process.kill("SIGKILL");
  await once(process, "exit");
  assert.equal((await first.orders(1, "A", 10))?.isAllowed, true);
  assert.equal((await first.orders(1, "A", 1))?.isAllowed, false);
  assert.equal((await second.orders(1, "A", 10))?.isAllowed, true);
});
