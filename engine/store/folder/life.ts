/**
 * Which life of the installation a copy is of: a restore begins another one, and copies of the lives before it are no part
 * of it.
 *
 * Invariants:
 * 1. A copy of an earlier life is set aside whole, never mixed and never deleted.
 * 2. A copy of a later life than the log's is refused: the log that is found is not the newest.
 */
import { existsSync, readFileSync } from "node:fs";
import { rename } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { writeDurableFile } from "../../../src/runtime/durable-file.ts";
import { isMissingFile } from "../../../src/runtime/missing-file.ts";
import { STORE_FOLDER, WITNESS_FILE } from "../backup/backup.ts";
import { diskRefusal } from "../disk-refused.ts";
import { StoreRefused } from "../refused.ts";

const LIFE_FILE = "life.json";

const schema = z.strictObject({ life: z.number().int().nonnegative() });

/** Makes the folder one of `life`. Gives where a copy of an earlier life was put. Throws {@link StoreRefused} where it is of a later one. */
export async function enterLife(folder: string, life: number): Promise<string | undefined> {
  const own = readLife(folder);
  if (own === life) return undefined;
  if (own > life) {
    throw new StoreRefused(
      `${folder} is of life ${own} of the installation, and the newest log is of life ${life}: these are not the servers of its log`,
    );
  }
  const [store, aside] = [join(folder, STORE_FOLDER), join(folder, `${STORE_FOLDER}.life-${own}`)];
  const isSetAside = existsSync(store);
  if (isSetAside) await rename(store, aside);
  const witness = join(folder, WITNESS_FILE);
  if (existsSync(witness)) await rename(witness, join(folder, `witness.life-${own}.json`));
  await writeLife(folder, life);
  return isSetAside ? aside : undefined;
}

/** Marks a folder as one of engines that share partitions: its log is on the nats-servers. */
export async function markAsReplica(folder: string, life: number): Promise<void> {
  if (!isReplicaFolder(folder)) await writeLife(folder, life);
}

/** Whether engines that share partitions (REPLICATION=on) have used the folder. */
export function isReplicaFolder(folder: string): boolean {
  return existsSync(join(folder, LIFE_FILE));
}

/** Why a replica's folder cannot be used without its log, which is not lost. */
export function replicaWithoutLog(folder: string): StoreRefused {
  return new StoreRefused(
    `${folder} is a replica of engines that share partitions (REPLICATION=on): the nats-servers hold its log, and nothing ` +
      "is damaged. Set REPLICATION=on. To continue with REPLICATION=off, make a backup while those engines run and put it in " +
      "the folder's place: the folder itself can lack what was sold last",
    { reason: "configuration" },
  );
}

/** From here on what the folder holds is of `life`. */
export function writeLife(folder: string, life: number): Promise<void> {
  return writeDurableFile(join(folder, LIFE_FILE), JSON.stringify({ life }));
}

/** Of which life the folder is. Throws {@link StoreRefused} where that cannot be read. */
export function readLife(folder: string): number {
  const path = join(folder, LIFE_FILE);
  try {
    return schema.parse(JSON.parse(readFileSync(path, "utf8"))).life;
  } catch (cause) {
    if (isMissingFile(cause)) return 0;
    const refusal = `${path} is damaged: begin with an empty folder in place of ${folder}`;
    throw diskRefusal(path, cause) ?? new StoreRefused(refusal, { cause });
  }
}
