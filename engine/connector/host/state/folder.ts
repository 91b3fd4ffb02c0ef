/**
 * The folder of a connector: its lock, and its journal.
 *
 * Invariants:
 * 1. One process has it. Another one is refused, however the first ended.
 * 2. It is made only on request. Without the folder, the connector does not know what was sent, and would report a sent
 *    order as missing.
 */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { Level } from "level";
import { makeFolders } from "../../../../src/runtime/make-folder.ts";
import { explainRunningFault } from "../../../../src/runtime/running-fault.ts";
import { UserError } from "../../../../src/runtime/user-error.ts";
import { type JournalContent, type JournalPorts, type OpenedJournal, openJournal } from "./journal.ts";

export interface FolderOptions extends JournalPorts {
  readonly folder: string;
  /** Whether a missing folder is made. */
  readonly mayCreate: boolean;
}

interface ConnectorFolder extends OpenedJournal {
  close(): Promise<void>;
}

/** Locks and opens the folder. Throws a `UserError` if it is missing or cannot be used. */
export async function openConnectorFolder(options: FolderOptions, content: JournalContent): Promise<ConnectorFolder> {
  const { folder, mayCreate } = options;
  const file = join(folder, "journal");
  if (!mayCreate && !existsSync(file)) {
    throw new UserError(
      `${folder} holds no journal. For a first start make it: npm run connector -- new <config.json>. A lost one is put ` +
        "back: without it what was sent is not known",
      { reason: "noInput" },
    );
  }
  await makeFolders(folder);
  const lock = await takeLock(folder);
  try {
    const opened = await openJournal(file, content, options);
    const close = async (): Promise<void> => {
      await opened.journal.close();
      await lock.close();
    };
    return { ...opened, close };
  } catch (error) {
    await lock.close();
    throw error;
  }
}

/** Makes the folder of a connector that never ran, by opening it once. Throws a `UserError` if one ran there. */
export async function makeConnectorFolder(
  folder: string,
  open: () => Promise<{ close(): Promise<void> }>,
): Promise<void> {
  if (existsSync(join(folder, "journal"))) {
    throw new UserError(`${folder} holds a journal already: start the connector, which continues with it`, {
      reason: "cannotCreate",
    });
  }
  const made = await open();
  await made.close();
}

/**
 * Takes LevelDB's lock, which ends with its process, also when that is killed. Throws a `UserError` if it cannot be
 * taken.
 */
async function takeLock(folder: string): Promise<{ close(): Promise<void> }> {
  const lock = new Level(join(folder, "lock"));
  try {
    await lock.open();
    return lock;
  } catch (cause) {
    const fault = explainRunningFault(cause);
    if (fault !== undefined) throw fault;
    throw new UserError(`${folder} is in use by another process, or cannot be written`, {
      reason: "unavailable",
      cause,
    });
  }
}
