/**
 * The log on one machine: files of its own, which are written in turns.
 *
 * Owns: which file is written next, what of them counts after a start, the difference between a torn end and damage.
 * Does not own: frames (frame.ts), writing and syncing (log-file.ts), keeping a second process out: the store is locked.
 *
 * Files are called `0.log`, `1.log` and so on, are made when they are needed and never removed. The oldest whose records
 * are all trimmed is written next. Each frame contains the number of files, and there is always one behind it.
 *
 * Invariants:
 * 1. A record is synced before it is acknowledged.
 * 2. One append at a time. An append that names another position than the end is refused.
 * 3. The last record is never trimmed: it contains the position of the log.
 * 4. Bytes after the last whole frame are an unacknowledged append, and are left out; it was the only one being written.
 *    If a later frame follows, or a file is gone, the log is damaged and is refused.
 * 5. Looking changes nothing: before the first append, or `settle`, no file is made or written.
 */
import { readdir, readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { makeFolders } from "../../../src/runtime/make-folder.ts";
import { isMissingFile } from "../../../src/runtime/missing-file.ts";
import { syncFolder } from "../../../src/runtime/sync-folder.ts";
import type { CommitLog, LogRecord } from "../../ports/log.ts";
import { StoreRefused } from "../refused.ts";
import { encodeFrame, type Run, recordsOf, runsOf } from "./frame.ts";
import { LogFile } from "./log-file.ts";

const FILE_NAME = /^(\d+)\.log$/;
const PAGE_BYTES = 512 * 1024;
const FILE_BYTES = 8 * 1024 * 1024;
/** The next file, and one behind it: frames that only they themselves count would not be missed with their file. */
const FREE_BEFORE_NEXT = 2;

/** A file and the records in it that count, one at least. */
interface Held {
  readonly index: number;
  readonly firstSequence: number;
  lastSequence: number;
  end: number;
}

/** Which files hold what counts, in order, and which may be written again, the oldest first. */
interface Standing {
  readonly fileCount: number;
  readonly held: Held[];
  readonly free: number[];
}

/**
 * Opens the log in `folder`, or begins one. A file of `fileBytes` is full, except for one longer frame. Throws
 * {@link StoreRefused} with a readable reason.
 */
export async function openFileLog(folder: string, mayCreate: boolean, fileBytes = FILE_BYTES): Promise<FileLog> {
  const names = await readdir(folder).catch((cause: unknown): string[] => {
    if (isMissingFile(cause)) return [];
    throw new StoreRefused(`${folder} cannot be opened (${String(cause)})`, { cause });
  });
  if (names.includes("CURRENT")) {
    throw new StoreRefused(`${folder} was written by an earlier build, whose logs are not read`);
  }
  const files = names.filter((name) => FILE_NAME.test(name)).length;
  if (files === 0 && !mayCreate) throw new StoreRefused(`${folder} holds no log: restore a backup`);
  return new FileLog(folder, fileBytes, await standingOf(folder, files));
}

async function standingOf(folder: string, fileCount: number): Promise<Standing> {
  const files: { readonly index: number; readonly runs: readonly Run[] }[] = [];
  for (let index = 0; index < fileCount; index += 1) {
    files.push({ index, runs: runsOf(await readLogFile(folder, index)) });
  }
  const begun = files
    .flatMap(({ index, runs: [run] }) => (run?.frames[0]?.at === 0 ? [{ index, ...run }] : []))
    .sort((left, right) => right.firstSequence - left.firstSequence);
  refuseDamage(folder, files, begun[0]?.lastSequence ?? -1);
  const held: Held[] = [];
  for (const { index, firstSequence, lastSequence, end } of begun) {
    // Older ones were trimmed, and the file after them is in use again.
    if (held[0] !== undefined && held[0].firstSequence !== lastSequence + 1) break;
    held.unshift({ index, firstSequence, lastSequence, end });
  }
  const isTaken = new Set(begun.map(({ index }) => index));
  const unused = files.map(({ index }) => index).filter((index) => !isTaken.has(index));
  const trimmed = begun.slice(held.length).map(({ index }) => index);
  return { fileCount, held, free: [...unused, ...trimmed.toReversed()] };
}

function refuseDamage(
  folder: string,
  files: readonly { readonly index: number; readonly runs: readonly Run[] }[],
  lastSequence: number,
): void {
  for (const { index, runs } of files) {
    for (const run of runs) {
      if (run.lastSequence > lastSequence) {
        throw new StoreRefused(
          `${fileOf(folder, index)} is damaged before record ${run.firstSequence}: restore a backup`,
        );
      }
      const known = run.frames.at(-1)?.fileCount ?? 0;
      if (known > files.length) {
        throw new StoreRefused(`${folder} holds ${files.length} of ${known} files of the log: restore a backup`);
      }
    }
  }
}

async function readLogFile(folder: string, index: number): Promise<Buffer> {
  try {
    return await readFile(fileOf(folder, index));
  } catch (cause) {
    throw new StoreRefused(`${fileOf(folder, index)} cannot be read: restore a backup`, { cause });
  }
}

class FileLog implements CommitLog {
  readonly #folder: string;
  readonly #fileBytes: number;
  readonly #held: Held[];
  readonly #free: number[];
  /** By their index, once they are opened for writing. */
  readonly #files = new Map<number, LogFile>();
  #fileCount: number;
  #first: number | undefined;
  #isAppending = false;

  constructor(folder: string, fileBytes: number, { fileCount, held, free }: Standing) {
    this.#folder = folder;
    this.#fileBytes = fileBytes;
    this.#fileCount = fileCount;
    this.#held = held;
    this.#free = free;
    this.#first = held[0]?.firstSequence;
  }

  get firstSequence(): number | undefined {
    return this.#first;
  }

  get lastSequence(): number | undefined {
    return this.#held.at(-1)?.lastSequence;
  }

  async append(expectedSequence: number, records: readonly Uint8Array[]): Promise<void> {
    if (this.#isAppending) throw new Error("the append before is on its way, or failed");
    const { lastSequence } = this;
    if (lastSequence !== undefined && lastSequence !== expectedSequence) {
      throw new Error(`the log ends at ${lastSequence}, not at ${expectedSequence}`);
    }
    if (records.length === 0) return;
    this.#isAppending = true;
    const firstSequence = expectedSequence + 1;
    const lastOfFrame = expectedSequence + records.length;
    const newest = this.#held.at(-1);
    const file = newest === undefined ? undefined : await this.#fileAt(newest.index, newest.end);
    const frame = encodeFrame(firstSequence, records, this.#fileCount);
    if (newest !== undefined && file?.hasRoomFor(frame.byteLength) === true) {
      await file.write(frame);
      newest.lastSequence = lastOfFrame;
      newest.end = file.end;
    } else await this.#appendToNext(firstSequence, records);
    this.#first ??= firstSequence;
    this.#isAppending = false;
  }

  /**
   * Writes the last frame once more, before any code acts on it: if its write had failed it may be in the system's memory,
   * readable and never to be written back.
   */
  async settle(): Promise<void> {
    const newest = this.#held.at(-1);
    if (newest === undefined) return;
    const bytes = await readLogFile(this.#folder, newest.index);
    const { at = 0 } = runsOf(bytes)[0]?.frames.at(-1) ?? {};
    // The file may end within the bytes that fill the frame up.
    const frame = Buffer.alloc(newest.end - at);
    bytes.copy(frame, 0, at);
    const file = await this.#fileAt(newest.index, at);
    await file.write(frame);
  }

  async #appendToNext(firstSequence: number, records: readonly Uint8Array[]): Promise<void> {
    while (this.#free.length < FREE_BEFORE_NEXT) this.#free.push(await this.#makeFile());
    const [index = 0] = this.#free.splice(0, 1);
    const file = await this.#fileAt(index, 0);
    await file.reuse();
    await file.write(encodeFrame(firstSequence, records, this.#fileCount));
    this.#held.push({ index, firstSequence, lastSequence: firstSequence + records.length - 1, end: file.end });
  }

  async *readFrom(sequence: number): AsyncIterable<readonly LogRecord[]> {
    for (const held of [...this.#held]) {
      if (held.lastSequence < sequence) continue;
      const bytes = (await readLogFile(this.#folder, held.index)).subarray(0, held.end);
      let page: LogRecord[] = [];
      let pageBytes = 0;
      for (const frame of runsOf(bytes)[0]?.frames ?? []) {
        for (const [index, record] of recordsOf(bytes, frame).entries()) {
          const one = { sequence: frame.firstSequence + index, bytes: record };
          if (one.sequence < Math.max(sequence, this.#first ?? 0)) continue;
          page.push(one);
          pageBytes += record.byteLength;
        }
        if (pageBytes < PAGE_BYTES) continue;
        yield page;
        page = [];
        pageBytes = 0;
      }
      if (page.length > 0) yield page;
    }
  }

  async trim(toSequence: number): Promise<void> {
    const { lastSequence } = this;
    if (this.#first === undefined || lastSequence === undefined) return;
    const firstKept = Math.min(toSequence + 1, lastSequence);
    if (firstKept <= this.#first) return;
    this.#first = firstKept;
    while ((this.#held[0]?.lastSequence ?? firstKept) < firstKept) {
      const [trimmed] = this.#held.splice(0, 1);
      if (trimmed !== undefined) this.#free.push(trimmed.index);
    }
  }

  async close(): Promise<void> {
    for (const file of this.#files.values()) await file.close();
  }

  async #makeFile(): Promise<number> {
    const index = this.#fileCount;
    await makeFolders(this.#folder);
    await this.#fileAt(index, 0);
    for (const folder of [this.#folder, dirname(this.#folder)]) await syncFolder(folder);
    this.#fileCount += 1;
    return index;
  }

  async #fileAt(index: number, end: number): Promise<LogFile> {
    const known = this.#files.get(index);
    if (known !== undefined) return known;
    const file = await LogFile.open(fileOf(this.#folder, index), this.#fileBytes, end);
    this.#files.set(index, file);
    return file;
  }
}

function fileOf(folder: string, index: number): string {
  return join(folder, `${index}.log`);
}
