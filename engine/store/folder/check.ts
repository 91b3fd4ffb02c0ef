/**
 * Reads a closed data folder, or a backup of one, and reports its faults.
 *
 * Owns: what a whole partition must hold: head, witness, both hashes, rows that can be read, ids and sequences that were
 * given out. Does not own: what rows mean (readers are handed in), printing (engine/entry/check-data.ts).
 *
 * Invariants:
 * 1. Nothing in the folder is changed, and nothing is repaired.
 * 2. A fault of one row does not hide the others; at most `FAULTS_MAX` faults of a store are reported.
 */
import { existsSync } from "node:fs";
import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { isMissingFile } from "../../../src/runtime/missing-file.ts";
import { UserError } from "../../../src/runtime/user-error.ts";
import type { RowStore } from "../../ports/log.ts";
import type { Store } from "../../ports/storage.ts";
import { ALL_KEYS, HEAD_KEY } from "../../table/keys.ts";
import { LOG_FOLDER, STORE_FOLDER, UNFINISHED, WITNESS_FILE } from "../backup/backup.ts";
import { lookAt } from "../backup/closed-copy.ts";
import { diskRefusal } from "../disk-refused.ts";
import type { Head } from "../journal/head.ts";
import { RowHashes } from "../journal/set-hash.ts";
import { openLevelStore, SMALL_WRITE_BUFFER_BYTES } from "../level-store.ts";
import { openFileLog } from "../log/file-log.ts";
import { LoggedStore } from "../log/logged-store.ts";
import { compareWithWitness, parseHead } from "../recovery.ts";
import { StoreInUse, StoreLockUnknown, StoreRefused, WitnessMissing } from "../refused.ts";
import { isReplicaFolder, replicaWithoutLog } from "./life.ts";
import { readWitness } from "./witness.ts";

const FAULTS_MAX = 20;
const PARTITION_NAME = /^partition-(\d+)$/;

/** Reads the rows of one kind; throws where a row is not what it should be. */
export interface RowReader {
  readonly name: string;
  /** Of the keys that it reads. The first reader that fits takes a row. */
  readonly prefix: string;
  /** `read` looks up other rows of the same store. Returns a note if there is something to report. */
  readonly check: (key: string, value: Uint8Array, place: RowPlace) => string | undefined;
}

export interface RowPlace {
  readonly head: Head;
  readonly read: (key: string) => Uint8Array | undefined;
}

/** A store next to the partition's own, by the start of its folder's name. */
export interface SideStoreReader {
  readonly prefix: string;
  readonly open: (folder: string) => Promise<Store>;
  /** The store's folder inside its folder. */
  readonly storeFolder: string;
  /** Throws if the store is incomplete; returns notes about it. */
  readonly check: (store: Store) => Promise<string>;
}

interface CheckOptions {
  readonly rows: readonly RowReader[];
  readonly sideStores: readonly SideStoreReader[];
  /** Files that a partition may have, e.g. the signing key of the first. */
  readonly filesOf: (partition: number) => readonly PrivateFile[];
}

interface PrivateFile {
  readonly name: string;
  /** The note if it is absent: it may be kept elsewhere, and that is not a fault. */
  readonly whereMissing: string;
}

/** What was found: `faults` are what is wrong, `notes` what there is to know. */
export interface CheckReport {
  readonly title: string;
  readonly notes: string[];
  readonly faults: string[];
}

/**
 * Checks every partition of a data folder. Rejects with an `UserError` if the folder does not exist, if it contains no
 * partition, and if an engine has it open.
 */
export async function checkDataFolder(folder: string, options: CheckOptions): Promise<readonly CheckReport[]> {
  const whole: CheckReport = { title: folder, notes: [], faults: [] };
  const partitions = await partitionsIn(folder);
  for (const name of (await readdir(folder)).filter((one) => one.endsWith(UNFINISHED))) {
    whole.faults.push(`${name} is a backup that was never finished: remove it and make another`);
  }
  const reports: CheckReport[] = [whole];
  for (const name of partitions) {
    reports.push(...(await checkPartition(join(folder, name), Number(PARTITION_NAME.exec(name)?.[1]), options)));
  }
  return reports;
}

/**
 * Names the partitions' folders in a data folder or backup, in order. Rejects with an `UserError` if the folder does not
 * exist, and if it contains no partition.
 */
export async function partitionsIn(folder: string): Promise<readonly string[]> {
  const names = await readdir(folder).catch((cause: unknown) => {
    throw isMissingFile(cause)
      ? new UserError(`the folder ${folder} does not exist`, { reason: "noInput", cause })
      : cause;
  });
  const partitions = names.filter((name) => PARTITION_NAME.test(name));
  if (partitions.length > 0) return partitions.sort();
  throw new UserError(
    names.includes(STORE_FOLDER)
      ? `${folder} is one partition: name the folder above it`
      : `${folder} is neither the data folder of an engine nor a backup: it holds no folder partition-<number>`,
    { reason: "noInput" },
  );
}

async function checkPartition(folder: string, partition: number, options: CheckOptions): Promise<CheckReport[]> {
  const report: CheckReport = { title: folder, notes: [], faults: [] };
  const note = (error: unknown): void => noteFault(report, error);
  await lookAtStore(folder, (opened, hasHistory) =>
    checkStore(opened, { folder, partition, hasHistory }, options.rows, report),
  ).catch(note);
  for (const file of options.filesOf(partition)) await checkPrivateFile(folder, file, report);
  const reports = [report];
  for (const name of await readdir(folder).catch(() => [])) {
    const side = options.sideStores.find(({ prefix }) => name.startsWith(prefix));
    if (side !== undefined) reports.push(await checkSideStore(join(folder, name), side));
  }
  return reports;
}

/** Passes to `look` the rows of a closed partition with all that its log contains, if it has one. Changes nothing. */
export function lookAtStore<T>(folder: string, look: (store: Store, hasHistory: boolean) => Promise<T>): Promise<T> {
  const openRows = (copy: string) => openLevelStore(copy, false, SMALL_WRITE_BUFFER_BYTES);
  const isBackup = (rows: Store): boolean => isUnopenedBackup(folder, rows);
  const lookAtRows = async (rows: Store & RowStore): Promise<T> => {
    if (isBackup(rows)) return look(rows, false);
    if (isReplicaFolder(folder) && !existsSync(join(folder, LOG_FOLDER))) throw replicaWithoutLog(folder);
    const log = await openFileLog(join(folder, LOG_FOLDER), false);
    const logged = await LoggedStore.open({ rows, log, ...NEVER });
    return look(logged, logged.hasHistory);
  };
  return lookAt(join(folder, STORE_FOLDER), openRows, lookAtRows, isBackup);
}

/** The first engine that opens one begins a log, and its head no longer marks it as a copy. */
function isUnopenedBackup(folder: string, rows: Store): boolean {
  const bytes = rows.read(HEAD_KEY);
  return bytes !== undefined && parseHead(bytes).copiedAtMs !== undefined && !existsSync(join(folder, LOG_FOLDER));
}

/** Looking writes nothing, so that nothing is ever due. */
const NEVER = {
  timers: { after: () => () => undefined, soon: () => undefined },
  fatal: (reason: string, cause: unknown): never => {
    throw new Error(reason, { cause });
  },
};

async function checkStore(
  store: Store,
  {
    folder,
    partition,
    hasHistory,
  }: { readonly folder: string; readonly partition: number; readonly hasHistory: boolean },
  readers: readonly RowReader[],
  report: CheckReport,
): Promise<void> {
  const head = readHead(store, partition);
  const { batch, partitions, ids, sequence, writtenAtMs } = head;
  report.notes.push(
    `installation ${head.installation}, partition ${partition} of ${partitions}, batch ${batch} of ${new Date(writtenAtMs).toISOString()}, ids up to ${ids}, sequence ${sequence}`,
  );
  try {
    checkWitness(folder, head, hasHistory);
  } catch (error) {
    noteFault(report, error);
  }
  const hashes = await checkRows(store, head, readers, report);
  if (hashes.live !== head.liveHash) report.faults.push("rows were lost or changed (live hash differs)");
  if (hashes.archive !== head.archiveHash) report.faults.push("history was lost or changed (archive hash differs)");
}

function readHead(store: Store, partition: number): Head {
  const bytes = store.read(HEAD_KEY);
  if (bytes === undefined) throw new StoreRefused("the store has no head record: it is damaged");
  const head = parseHead(bytes);
  if (head.partition !== partition) throw new StoreRefused(`the store belongs to partition ${head.partition}`);
  return head;
}

function checkWitness(folder: string, head: Head, hasHistory: boolean): void {
  const witness = readWitness(join(folder, WITNESS_FILE));
  if (witness !== undefined) compareWithWitness(head, witness);
  else if (hasHistory) throw new WitnessMissing(folder, head);
}

async function checkRows(
  store: Store,
  head: Head,
  readers: readonly RowReader[],
  report: CheckReport,
): Promise<RowHashes> {
  const hashes = new RowHashes();
  const place: RowPlace = { head, read: (key) => store.read(key) };
  const counts = new Map<string, number>();
  let faultCount = 0;
  for await (const page of store.scan(ALL_KEYS)) {
    for (const [key, value] of page) {
      if (key === HEAD_KEY) continue;
      hashes.add(key, value);
      const reader = readers.find(({ prefix }) => key.startsWith(prefix));
      const name = reader?.name ?? "unknown";
      counts.set(name, (counts.get(name) ?? 0) + 1);
      try {
        const said = reader === undefined ? "a row of an unknown kind" : reader.check(key, value, place);
        if (said !== undefined) report.notes.push(`${key}: ${said}`);
      } catch (error) {
        faultCount += 1;
        if (faultCount <= FAULTS_MAX) report.faults.push(`${key}: ${messageOf(error)}`);
      }
    }
  }
  if (faultCount > FAULTS_MAX) report.faults.push(`${faultCount - FAULTS_MAX} further rows cannot be read`);
  report.notes.push(`rows: ${[...counts].map(([name, count]) => `${count} ${name}`).join(", ") || "none"}`);
  return hashes;
}

async function checkPrivateFile(
  folder: string,
  { name, whereMissing }: PrivateFile,
  { faults, notes }: CheckReport,
): Promise<void> {
  const path = join(folder, name);
  try {
    const { mode } = await stat(path);
    if ((mode & 0o077) !== 0) notes.push(`${path} can be read by others: its mode is ${(mode & 0o777).toString(8)}`);
  } catch (error) {
    if (isMissingFile(error)) notes.push(`no ${name}: ${whereMissing}`);
    else faults.push(messageOf(error));
  }
}

async function checkSideStore(folder: string, { open, check, storeFolder }: SideStoreReader): Promise<CheckReport> {
  const report: CheckReport = { title: folder, notes: [], faults: [] };
  try {
    // Its engine would have the partition's store open as well, which was looked at before.
    report.notes.push(await lookAt(join(folder, storeFolder), open, check, () => true));
  } catch (error) {
    noteFault(report, error);
  }
  return report;
}

/** A store that is in use, or that the system does not let be read, is not faulty by that: its state is unknown. */
function noteFault(report: CheckReport, error: unknown): void {
  const isInUse = error instanceof StoreInUse || error instanceof StoreLockUnknown;
  const refused = isInUse ? error : diskRefusal(report.title, error);
  if (refused !== undefined) throw refused;
  report.faults.push(messageOf(error));
}

/** One line, however many a library made of it. */
function messageOf(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return text.replaceAll(/\s+/g, " ").slice(0, 600);
}
