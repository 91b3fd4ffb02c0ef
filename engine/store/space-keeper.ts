/**
 * Gives back the disk space of files that LevelDB has removed.
 *
 * Owns: a folder of second names (hard links) for the store's logs and tables. Does not own: when LevelDB removes a
 * file, nor anything in its folder, which is only read here.
 *
 * LevelDB removes files under the lock that every read and write needs, and to free a log of 100 MB takes some file
 * systems a tenth of a second. A file with a second name is not freed when it loses its first: that happens here, on a
 * thread that holds nobody up.
 *
 * Invariants:
 * 1. Nothing is ever removed but second names.
 * 2. What fails here costs time or space, never data, and is tried again. Where files cannot have second names LevelDB
 *    frees them as ever.
 */

import { existsSync } from "node:fs";
import { link, lstat, mkdir, readdir, rm, unlink } from "node:fs/promises";
import { join } from "node:path";
import { isMissingFile } from "../missing-file.ts";
import type { Cancel, Log, Timers } from "../ports.ts";

const SWEEP_EVERY_MS = 500;
/** A look takes time with the number of files: it comes so much later for each. */
const LATER_MS_PER_FILE = 0.2;
/** The files that LevelDB removes and that are not small. */
const LARGE = /\.(log|ldb|sst)$/;

/**
 * Before a store is opened: gives back what only a second name holds, left by a process that died. Opening may need the
 * room. Names that are not the last are left: another process may have the store open. Never rejects.
 */
export async function freeLeftovers(secondNames: string): Promise<void> {
  for (const name of await readdir(secondNames).catch(() => [])) {
    const path = join(secondNames, name);
    const found = await lstat(path).catch(() => undefined);
    if (found?.isFile() && found.nlink === 1) await unlink(path).catch(() => undefined);
  }
}

export interface SpaceKeeperOptions {
  readonly storeFolder: string;
  /** For the second names: on the same file system, and for nothing else. */
  readonly secondNames: string;
  readonly timers: Timers;
  readonly log: Log;
}

export class SpaceKeeper {
  readonly #options: SpaceKeeperOptions;
  readonly #kept = new Set<string>();
  #cancelNext: Cancel | undefined;
  #sweeping: Promise<void> = Promise.resolve();
  #isRunning = false;
  #hasWarned = false;

  constructor(options: SpaceKeeperOptions) {
    this.#options = options;
  }

  /** Of a store that this process has open: removes what a process left that died, and begins. Never rejects. */
  async start(): Promise<void> {
    this.#isRunning = true;
    await rm(this.#options.secondNames, { recursive: true, force: true }).catch((error: unknown) => this.#warn(error));
    this.#runAgain();
  }

  /** Looks once at what came and went. */
  async sweep(): Promise<void> {
    const { storeFolder, secondNames } = this.#options;
    const present = new Set((await readdir(storeFolder)).filter((name) => LARGE.test(name)));
    // First, so that no failure below lets what is held grow.
    for (const name of this.#kept) {
      if (present.has(name)) continue;
      await unlink(join(secondNames, name)).catch(ignoreMissing);
      this.#kept.delete(name);
    }
    await mkdir(secondNames, { recursive: true, mode: 0o700 });
    for (const name of present) {
      if (this.#kept.has(name)) continue;
      await link(join(storeFolder, name), join(secondNames, name)).then(() => this.#kept.add(name), ignoreMissing);
    }
  }

  /** Ends, and leaves nothing behind. Never rejects. */
  async stop(): Promise<void> {
    this.#isRunning = false;
    this.#cancelNext?.();
    await this.#sweeping;
    await rm(this.#options.secondNames, { recursive: true, force: true }).catch(() => undefined);
  }

  #runAgain(): void {
    // Without the store there is nothing to look at, and the process must not wait for the next look.
    if (!this.#isRunning || !existsSync(this.#options.storeFolder)) return;
    const delayMs = Math.ceil(SWEEP_EVERY_MS + this.#kept.size * LATER_MS_PER_FILE);
    this.#cancelNext = this.#options.timers.after(delayMs, () => {
      this.#sweeping = this.sweep()
        .then(
          () => {
            this.#hasWarned = false;
          },
          (error: unknown) => this.#warn(error),
        )
        .then(() => this.#runAgain());
    });
  }

  /** Once for as long as it lasts: what failed is tried again. */
  #warn(error: unknown): void {
    if (this.#hasWarned) return;
    this.#hasWarned = true;
    this.#options.log.warn({ err: error }, "removed files of the store are freed by LevelDB itself: writes may stall");
  }
}

/** Of a file that was removed since it was seen. */
function ignoreMissing(error: unknown): void {
  if (!isMissingFile(error)) throw error;
}
