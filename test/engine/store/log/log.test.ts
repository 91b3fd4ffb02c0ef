/** Both logs keep what a log keeps. */
import assert from "node:assert/strict";
import { cpSync, mkdtempSync, readdirSync, rmSync, statSync, truncateSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { openLevelLog } from "../../../../engine/store/log/level-log.ts";
import { StoreRefused } from "../../../../engine/store/refused.ts";
import { loopTimers } from "../../../../src/runtime/clock.ts";
import { LoggedDisk } from "../../../support/store/logged-disk.ts";
import { describeLog, type LogPlace } from "./log-conformance.ts";

describeLog("in LevelDB", (): LogPlace => {
  const folder = mkdtempSync(join(tmpdir(), "log-"));
  let life = 0;
  return {
    open: () => openLevelLog(join(folder, `${life}`), true),
    // The files as they are at this moment are what a killed process leaves.
    leave: async (log) => {
      cpSync(join(folder, `${life}`), join(folder, `${life + 1}`), { recursive: true });
      life += 1;
      await log.close();
    },
    remove: async () => rmSync(folder, { recursive: true }),
  };
});

describeLog("in memory", (): LogPlace => {
  const disk = new LoggedDisk(() => []);
  const pace = { timers: loopTimers, tookMs: () => 0, failsNow: () => false };
  return {
    open: async () => disk.openLog(pace),
    leave: async () => disk.leave({ isPowerCut: true, isKept: () => false, keptOf: (count) => count }),
    remove: async () => {},
  };
});

test("a log in LevelDB whose end was torn off ends with a whole record", async () => {
  const folder = mkdtempSync(join(tmpdir(), "log-"));
  const log = await openLevelLog(join(folder, "log"), true);
  for (let number = 1; number <= 20; number += 1) await log.append(number - 1, [Buffer.alloc(1_000, number)]);
  cpSync(join(folder, "log"), join(folder, "torn"), { recursive: true });
  await log.close();
  const [file = ""] = readdirSync(join(folder, "torn")).filter((name) => name.endsWith(".log"));
  truncateSync(join(folder, "torn", file), statSync(join(folder, "torn", file)).size - 1_500);
  const torn = await openLevelLog(join(folder, "torn"), false);
  assert.equal(torn.lastSequence, 18);
  await torn.close();
  rmSync(folder, { recursive: true });
});

test("a log in LevelDB that may not be made, or is in use, is refused in plain words", async () => {
  const folder = mkdtempSync(join(tmpdir(), "log-"));
  await assert.rejects(openLevelLog(join(folder, "none"), false), StoreRefused);
  const log = await openLevelLog(join(folder, "log"), true);
  await assert.rejects(openLevelLog(join(folder, "log"), false), /in use by another engine process/);
  await log.close();
  rmSync(folder, { recursive: true });
});
