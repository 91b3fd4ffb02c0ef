/**
 * `npm run backup-stopped -- <data folder> <new folder>`: makes a backup of the data folder of a stopped engine.
 *
 * It serves a folder that the engine refuses because it may be an old copy (no `witness.json`): a backup of it can be
 * restored, and an engine that continues from a backup looks an order up before it sends it again (restored.ts).
 */
import { existsSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { explainFailedStart } from "../../src/runtime/process.ts";
import { UserError } from "../../src/runtime/user-error.ts";
import { openPaperStore } from "../host/paper-store.ts";
import { SIGNING_KEY_FILE } from "../identity/signing.ts";
import { backUp, type SideStore, STORE_FOLDER } from "../store/backup/backup.ts";
import { lookAt } from "../store/backup/closed-copy.ts";
import { lookAtStore, partitionsIn } from "../store/folder/check.ts";
import { openLevelStore } from "../store/level-store.ts";

const PAPER_PREFIX = "paper-";

async function main(): Promise<void> {
  const [from, to, ...rest] = process.argv.slice(2);
  if (from === undefined || to === undefined || rest.length > 0) {
    throw new UserError("usage: npm run backup-stopped -- <data folder> <new folder>", { reason: "usage" });
  }
  if (existsSync(to)) {
    throw new UserError(`${to} exists: name a folder that is not there yet`, { reason: "cannotCreate" });
  }
  for (const partition of await partitionsIn(from)) {
    const { batch, writtenAtMs } = await backUpPartition(join(from, partition), join(to, partition));
    const moment = new Date(writtenAtMs).toISOString();
    process.stdout.write(`${join(to, partition)}: a backup of batch ${batch} of ${moment}\n`);
  }
}

async function backUpPartition(folder: string, target: string): Promise<{ batch: number; writtenAtMs: number }> {
  const papers = (await readdir(folder)).filter((name) => name.startsWith(PAPER_PREFIX));
  return withSideStores(folder, papers, [], (sideStores) =>
    lookAtStore(folder, (rows) => {
      const store = { scan: (range: Parameters<typeof rows.scan>[0]) => rows.scan(range) };
      const source = { store, folder, files: [SIGNING_KEY_FILE], sideStores };
      return backUp(source, target, { rowCount: 0, byteCount: 0 });
    }),
  );
}

/** Opens the paper brokerages' stores one within the other, so that each is closed even if another fails. */
function withSideStores<T>(
  folder: string,
  [name, ...rest]: readonly string[],
  opened: readonly SideStore[],
  work: (opened: readonly SideStore[]) => Promise<T>,
): Promise<T> {
  if (name === undefined) return work(opened);
  return lookAt(
    join(folder, name, STORE_FOLDER),
    (copy) => openLevelStore(copy, false),
    (store) => withSideStores(folder, rest, [...opened, { name, store, create: openPaperStore }], work),
    () => true,
  );
}

main().catch(explainFailedStart("backup-stopped"));
