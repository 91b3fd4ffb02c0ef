/** `npm run bench` that is interrupted leaves no program and no folder behind. */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { natsSuite } from "../support/machine/nats-server.ts";
import { temporaryFolder } from "../support/machine/process.ts";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const STARTED_WITHIN_MS = 120_000;

/** The command lines of all processes whose environment names `folder`, by process id. */
function processesOf(folder: string): Map<number, string> {
  const found = new Map<number, string>();
  for (const name of readdirSync("/proc")) {
    if (!/^\d+$/.test(name)) continue;
    try {
      const command = readFileSync(`/proc/${name}/cmdline`, "utf8").replaceAll("\0", " ");
      const names = `${command}${readFileSync(`/proc/${name}/environ`, "utf8")}`.includes(folder);
      if (names && command !== "") found.set(Number(name), command);
    } catch {
      // It ended between the two, or belongs to another user.
    }
  }
  return found;
}

natsSuite("an interrupted bench", () => {
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    test(`${signal} ends the servers and engines that it started, and removes its folders`, async (context) => {
      const folder = await temporaryFolder();
      context.after(folder.remove);
      const bench = spawn(process.execPath, ["--import", "tsx", "bench/main.ts", "--quick", "--only", "commands"], {
        cwd: ROOT,
        env: { PATH: process.env.PATH ?? "", HOME: process.env.HOME ?? "", TMPDIR: folder.path },
        stdio: "ignore",
      });
      context.after(() => bench.kill("SIGKILL"));
      const runs = (program: string): boolean =>
        [...processesOf(folder.path).values()].some((command) => command.includes(program));
      for (const startedMs = performance.now(); !(runs("nats-server") && runs("engine/main.ts")); await pause(50)) {
        assert.ok(performance.now() - startedMs < STARTED_WITHIN_MS, "the scenario starts a server and an engine");
        assert.equal(bench.exitCode, null, "the bench goes on until it is interrupted");
      }
      bench.kill(signal);
      const [exitCode] = await once(bench, "exit");
      assert.equal(exitCode, signal === "SIGINT" ? 130 : 143);
      for (let left = processesOf(folder.path); left.size > 0; left = processesOf(folder.path)) {
        // Killed already; what is dying still has its entry for a moment. A living one never goes away.
        await pause(20);
      }
      assert.deepEqual(
        readdirSync(folder.path).filter((name) => !name.startsWith("tsx-")),
        [],
      );
      assert.equal(readdirSync(join(ROOT, "bench")).includes("results"), true);
    });
  }
});
