/**
 * Opens the data folders of its arguments as the engine does, one after the other, and prints the outcome of each. A
 * process of its own: LevelDB has been seen to abort on a damaged file.
 */
import { createHash } from "node:crypto";
import { openDataFolder } from "../../../../engine/store/folder/data-folder.ts";
import { readLive } from "../../../../engine/store/recovery.ts";
import { StoreRefused } from "../../../../engine/store/refused.ts";
import type { Fatal, Log } from "../../../../src/runtime/ports.ts";

export interface Opened {
  readonly folder: string;
  /** `whole`: it would start. `refused`: it would not. `fatal`: it would stop when the archive was read. */
  readonly outcome: "whole" | "refused" | "fatal";
  readonly message: string;
  /** Of all pairs except the head. */
  readonly digest: string;
}

class Stopped extends Error {}

const silent: Log = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };
const fatal: Fatal = (reason) => {
  throw new Stopped(reason);
};

async function tryToOpen(folder: string): Promise<Omit<Opened, "folder">> {
  try {
    const opened = await openDataFolder({
      folder,
      place: { partition: 0, partitions: 1 },
      clock: { nowMs: () => 0 },
      timers: { after: () => () => {}, soon: (task) => void setImmediate(task) },
      log: silent,
      fatal,
      installation: () => "abcdefghij",
    });
    try {
      await readLive(opened.store, opened.head, () => undefined);
      await opened.checkArchive();
      const hash = createHash("sha256");
      for await (const page of opened.store.scan({ gte: "", lt: "\uffff" })) {
        for (const [key, value] of page) if (key !== "head") hash.update(key).update(value);
      }
      return { outcome: "whole", message: "", digest: hash.digest("hex") };
    } finally {
      await opened.close();
    }
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    if (error instanceof Stopped) return { outcome: "fatal", message, digest: "" };
    const isClear = error instanceof StoreRefused;
    return { outcome: "refused", message: isClear ? message : `not clear: ${message}`, digest: "" };
  }
}

for (const folder of process.argv.slice(2)) {
  process.stdout.write(`${JSON.stringify({ folder, ...(await tryToOpen(folder)) })}\n`);
}
