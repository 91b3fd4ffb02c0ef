/**
 * One file of the log, to be written from its start to its end, and again once its records are trimmed.
 *
 * Owns: the position of the next frame, and room that is written before it is needed. Does not own: what frames mean. A
 * synced write over existing bytes takes a third less time than a write that extends the file. It also waits for no other
 * file's sync.
 *
 * Invariants:
 * 1. Written bytes are on disk once `write` resolves: the file is opened so that every write is synced.
 * 2. Room is made only behind the last frame, and no frame is written into room that is still being made.
 */
import { constants, write } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";

/** Room is made ahead of so many bytes, twice as much each time: an installation where nothing happens stays small. */
const FIRST_ROOM_BYTES = 64 * 1024;
/** In pieces, for frames wait for the disk, too. */
const ROOM_PIECE = Buffer.alloc(128 * 1024);
/** Not on Windows. */
const SYNCED_WRITES = constants.O_DSYNC as number | undefined;

export class LogFile {
  readonly #handle: FileHandle;
  readonly #fullBytes: number;
  #end: number;
  #size: number;
  #making: Promise<void> | undefined;

  private constructor(handle: FileHandle, fullBytes: number, end: number, size: number) {
    this.#handle = handle;
    this.#fullBytes = fullBytes;
    this.#end = end;
    this.#size = size;
  }

  /**
   * Makes the file if it is missing. `fullBytes`: at this size it is full, except for a longer first frame; `end`: behind
   * the last frame that counts.
   */
  static async open(path: string, fullBytes: number, end: number): Promise<LogFile> {
    const handle = await open(path, constants.O_RDWR | constants.O_CREAT | (SYNCED_WRITES ?? 0), 0o600);
    const { size } = await handle.stat();
    return new LogFile(handle, fullBytes, end, size);
  }

  /** Where the next frame goes, in bytes. */
  get end(): number {
    return this.#end;
  }

  /** An empty file takes a frame of any length. */
  hasRoomFor(byteCount: number): boolean {
    return this.#end === 0 || this.#end + byteCount <= this.#fullBytes;
  }

  /** Adds a frame. One at a time; a rejection leaves the outcome unknown. */
  async write(frame: Uint8Array): Promise<void> {
    const end = this.#end + frame.byteLength;
    if (end > this.#size) await this.#making;
    await this.#put(frame, this.#end);
    this.#end = end;
    this.#size = Math.max(this.#size, end);
    if (2 * end > this.#size) this.#makeRoom();
  }

  /** From here on frames are written from the start again. */
  async reuse(): Promise<void> {
    this.#end = 0;
    if (this.#size <= this.#fullBytes) return;
    await this.#handle.truncate(this.#fullBytes);
    this.#size = this.#fullBytes;
  }

  async close(): Promise<void> {
    await this.#making;
    await this.#handle.close();
  }

  /** In the background. The next write meets the same fault. */
  #makeRoom(): void {
    if (this.#making !== undefined || this.#size >= this.#fullBytes) return;
    const size = Math.min(Math.max(FIRST_ROOM_BYTES, 2 * this.#size), this.#fullBytes);
    this.#making = this.#fill(size)
      .catch(() => undefined)
      .finally(() => {
        this.#making = undefined;
      });
  }

  async #fill(size: number): Promise<void> {
    while (this.#size < size) {
      const piece = ROOM_PIECE.subarray(0, size - this.#size);
      await this.#put(piece, this.#size);
      this.#size += piece.byteLength;
    }
  }

  async #put(bytes: Uint8Array, at: number): Promise<void> {
    // A disk that is nearly full takes a part, and reports the reason at the next write.
    for (let done = 0; done < bytes.byteLength; ) done += await this.#write(bytes, done, at + done);
    if (SYNCED_WRITES === undefined) await this.#handle.datasync();
  }

  /** With a callback: a handle's own promises cost more than the system call, and every trigger waits for a write. */
  #write(bytes: Uint8Array, from: number, at: number): Promise<number> {
    return new Promise((resolve, reject) => {
      write(this.#handle.fd, bytes, from, bytes.byteLength - from, at, (error, byteCount) => {
        if (error === null) resolve(byteCount);
        else reject(error);
      });
    });
  }
}
