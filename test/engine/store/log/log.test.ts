/** Both logs keep what a log keeps. */
import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openFileLog } from "../../../../engine/store/log/file-log.ts";
import { loopTimers } from "../../../../src/runtime/clock.ts";
import { LoggedDisk } from "../../../support/store/logged-disk.ts";
import { describeLog, type LogPlace } from "./log-conformance.ts";

for (const fileBytes of [undefined, 256]) {
  describeLog(`in files of ${fileBytes ?? "the usual"} bytes`, () => filesOf(fileBytes));
}

function filesOf(fileBytes: number | undefined): LogPlace {
  const folder = mkdtempSync(join(tmpdir(), "log-"));
  let life = 0;
  return {
    open: () => openFileLog(join(folder, `${life}`), true, fileBytes),
    // The files as they are at this moment are what a killed process leaves.
    leave: async (log) => {
      cpSync(join(folder, `${life}`), join(folder, `${life + 1}`), { recursive: true });
      life += 1;
      await log.close();
    },
    remove: async () => rmSync(folder, { recursive: true }),
  };
}

describeLog("in memory", (): LogPlace => {
  const disk = new LoggedDisk(() => []);
  const pace = { timers: loopTimers, tookMs: () => 0, failsNow: () => false };
  return {
    open: async () => disk.openLog(pace),
    leave: async () => disk.leave({ isPowerCut: true, isKept: () => false, keptOf: (count) => count }),
    remove: async () => {},
  };
});
