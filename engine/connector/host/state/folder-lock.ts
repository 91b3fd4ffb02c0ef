/** The lock of a connector's folder: one process has it; the next is refused, however the first ended. */
import { join } from "node:path";
import { Level } from "level";
import { OperatorMistake } from "../../../../src/operator-mistake.ts";

/** LevelDB's lock ends with its process, also when that is killed. Throws an `OperatorMistake` where it is taken. */
export async function takeLock(folder: string): Promise<{ close(): Promise<void> }> {
  const lock = new Level(join(folder, "lock"));
  try {
    await lock.open();
    return lock;
  } catch (cause) {
    throw new OperatorMistake(`${folder} is in use by another process, or cannot be written`, {
      reason: "unavailable",
      cause,
    });
  }
}
