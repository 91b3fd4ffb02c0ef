/**
 * The append-only file of a session's numbers and orders.
 *
 * Owns: that appended records are on disk before anything that relies on them leaves, and the handling of a torn end.
 * Does not own: the meaning of records.
 *
 * Invariants:
 * 1. All appends of one turn of the loop, and all that arrive while the disk is busy, share one write, which is durable
 *    when it returns (O_DSYNC). `afterDurable` runs in the order of the calls, after all earlier appends.
 * 2. The first failed write ends the process: after it the content of the disk is not known.
 * 3. A last record that is cut off was never durable: it is removed. A record that cannot be read before a readable one
 *    is damage: the start is refused.
 * 4. A file is replaced as a whole (written to another file, synced, renamed) or not at all.
 * 5. A file begins with the record of its owner. An existing file without it, also an empty one, has lost what was
 *    sent: the start is refused, and the file is unchanged.
 */
import { constants } from "node:fs";
import { type FileHandle, open, readFile, rename } from "node:fs/promises";
import { dirname } from "node:path";
import { crc32 } from "node:zlib";
import { isMissingFile } from "../../../../src/runtime/missing-file.ts";
import type { Fatal, Timers } from "../../../../src/runtime/ports.ts";
import { syncFolder } from "../../../../src/runtime/sync-folder.ts";
import { UserError } from "../../../../src/runtime/user-error.ts";

const CHECK_LENGTH = 8;
const FILE_MODE = 0o600;
/** Every write is durable when it returns: one disk operation, in place of a write and a sync. */
const { O_WRONLY, O_CREAT, O_TRUNC, O_DSYNC } = constants;
const DURABLE_WRITES = O_WRONLY | O_CREAT | O_TRUNC | O_DSYNC;

export interface JournalFile {
  append(record: object): void;
  /** Replaces the file by the result of `snapshot` whenever it has grown by `bytesMax`. */
  keepShort(bytesMax: number, snapshot: () => readonly object[]): void;
  /** Runs `act` once everything appended so far is durable; never inside the call. */
  afterDurable(act: () => void): void;
  /** Writes the remaining records and closes. Later appends are dropped. */
  close(): Promise<void>;
}

export interface JournalPorts {
  readonly timers: Timers;
  readonly fatal: Fatal;
}

export interface OpenedJournal {
  readonly journal: JournalFile;
  /** The file's records, oldest first. */
  readonly records: readonly unknown[];
}

export function renderRecord(record: object): string {
  const text = JSON.stringify(record);
  return `${crc32(text).toString(16).padStart(CHECK_LENGTH, "0")} ${text}\n`;
}

/** The records of a file's text, and their length in bytes; the rest is a torn end. */
export function readRecords(bytes: Buffer): { readonly records: unknown[]; readonly length: number } {
  const records: unknown[] = [];
  let length = 0;
  for (;;) {
    const end = bytes.indexOf(0x0a, length);
    const line = end < 0 ? undefined : readLine(bytes.toString("utf8", length, end));
    if (line === undefined) break;
    records.push(line.record);
    length = end + 1;
  }
  refuseReadableAfter(bytes, length);
  return { records, length };
}

function readLine(line: string): { readonly record: unknown } | undefined {
  const text = line.slice(CHECK_LENGTH + 1);
  const check = line.slice(0, CHECK_LENGTH);
  if (line[CHECK_LENGTH] !== " " || !/^[0-9a-f]{8}$/.test(check) || crc32(text) !== Number.parseInt(check, 16)) {
    return undefined;
  }
  return { record: JSON.parse(text) };
}

function refuseReadableAfter(bytes: Buffer, length: number): void {
  const lines = bytes.toString("utf8", length).split("\n").slice(1);
  if (lines.some((line) => readLine(line) !== undefined)) {
    throw new UserError(
      `the journal is damaged at byte ${length}: put back a copy, or settle every open order with the brokerage and move the folder away`,
      { reason: "data" },
    );
  }
}

/** The content of one kind of session's journal. */
export interface JournalContent {
  /** Whether a record names the journal's owner. An existing journal begins with it. */
  isOwner(record: unknown): boolean;
  /** Returns the records that replace the file's. Throws a `UserError` for records from which it cannot continue. */
  shorten(records: readonly unknown[]): readonly object[];
}

/**
 * Reads the file, replaces it by the records that `content` makes of it, and opens it for appending. Throws a
 * `UserError`, and leaves the file unchanged, if it is damaged or lacks its owner's record.
 */
export async function openJournal(path: string, content: JournalContent, ports: JournalPorts): Promise<OpenedJournal> {
  const bytes = await readIfThere(path);
  const before = bytes === undefined ? [] : readRecords(bytes).records;
  const records = content.shorten(before);
  if (bytes !== undefined && !content.isOwner(before[0])) throw withoutOwner(dirname(path));
  return { journal: new AppendingFile(path, await replaceFile(path, records), ports), records };
}

function readIfThere(path: string): Promise<Buffer | undefined> {
  return readFile(path).catch((error: unknown) => {
    if (isMissingFile(error)) return undefined;
    throw error;
  });
}

/** The refusal of a journal whose owner's record is missing: it is only ever replaced whole, with that record first. */
function withoutOwner(folder: string): UserError {
  return new UserError(
    `${folder}: the journal has lost its beginning, so what was sent is not known: put back a copy, or settle every ` +
      "open order with the brokerage and move the folder away",
    { reason: "data" },
  );
}

async function replaceFile(path: string, records: readonly object[]): Promise<FileHandle> {
  const beside = `${path}.new`;
  const file = await open(beside, DURABLE_WRITES, FILE_MODE);
  await file.writeFile(records.map(renderRecord).join(""));
  await file.sync();
  await rename(beside, path);
  await syncFolder(dirname(path));
  return file;
}

class AppendingFile implements JournalFile {
  readonly #path: string;
  readonly #ports: JournalPorts;
  #file: FileHandle;
  #grownBytes = 0;
  #bytesMax = Number.POSITIVE_INFINITY;
  #snapshot: () => readonly object[] = () => [];
  #isClosed = false;
  #lines: string[] = [];
  #acts: (() => void)[] = [];
  #writing: Promise<void> | undefined;

  constructor(path: string, file: FileHandle, ports: JournalPorts) {
    this.#path = path;
    this.#file = file;
    this.#ports = ports;
  }

  keepShort(bytesMax: number, snapshot: () => readonly object[]): void {
    this.#bytesMax = bytesMax;
    this.#snapshot = snapshot;
  }

  append(record: object): void {
    this.#lines.push(renderRecord(record));
    this.#start();
  }

  afterDurable(act: () => void): void {
    this.#acts.push(act);
    this.#start();
  }

  async close(): Promise<void> {
    while (this.#writing !== undefined) await this.#writing;
    this.#isClosed = true;
    await this.#file.close();
  }

  /** An answer that arrives after the end is not written: the next start settles its request. */
  #start(): void {
    if (!this.#isClosed) this.#writing ??= this.#run();
  }

  async #run(): Promise<void> {
    // The rest of this turn is included, and the effects of its answers.
    await new Promise<void>((resolve) => this.#ports.timers.soon(resolve));
    while (this.#lines.length > 0 || this.#acts.length > 0) {
      const lines = this.#lines;
      const acts = this.#acts;
      this.#lines = [];
      this.#acts = [];
      if (lines.length > 0) await this.#write(lines.join(""));
      for (const act of acts) act();
    }
    this.#writing = undefined;
  }

  async #write(text: string): Promise<void> {
    try {
      this.#grownBytes += text.length;
      if (this.#grownBytes > this.#bytesMax) await this.#shorten();
      else await this.#file.writeFile(text);
    } catch (error) {
      this.#ports.fatal("the connector's journal could not be written", error);
    }
  }

  /**
   * Records still to be written are in the snapshot too: a caller that appends has changed its state in the same turn.
   */
  async #shorten(): Promise<void> {
    const before = this.#file;
    this.#file = await replaceFile(this.#path, this.#snapshot());
    this.#grownBytes = 0;
    await before.close();
  }
}
