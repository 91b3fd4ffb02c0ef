/** Whether the files and folders that the engine's settings name can be used: asked before a start makes anything. */
import { createLog } from "../../src/runtime/log.ts";
import type { EngineConfig } from "../config.ts";
import { checkSource } from "../feed/source/source.ts";
import { checkSigningKey } from "../identity/signing.ts";
import { isBelow } from "../store/backup/backup-folder.ts";
import { checkFolder } from "../store/folder/usable-folder.ts";

/** One check for each; each throws a `UserError` of its own. */
export function preflight(config: EngineConfig): readonly (() => unknown)[] {
  const { dataFolder, backupFolder, feed, signingKeyFile } = config;
  return [
    () => checkFolder("DATA_DIR", dataFolder),
    () => isBelow(backupFolder, dataFolder) || checkFolder("BACKUP_DIR", backupFolder),
    () => checkSource(feed),
    () => signingKeyFile !== undefined && checkSigningKey(signingKeyFile, createLog({ level: "silent" }, "engine")),
  ];
}
