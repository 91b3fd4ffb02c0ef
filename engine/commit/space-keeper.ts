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
 * 2. What fails here costs time or space, never data. Where files cannot have second names nothing is done.
 */
import { link, mkdir, readdir, rm, unlink } from "node:fs/promises";
import { join } from "node:path";
import type { Cancel, Log, Timers } from "../ports.ts";

const SWEEP_EVERY_MS = 500;
/** The files that LevelDB removes and that are not small. */
const LARGE = /\.(log|ldb|sst)$/;

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

  constructor(options: SpaceKeeperOptions) {
    this.#options = options;
  }

  /** Removes what a process left that died, and begins. Never rejects. */
  async start(): Promise<void> {
    const { secondNames } = this.#options;
    this.#isRunning = true;
    try {
      await rm(secondNames, { recursive: true, force: true });
      await mkdir(secondNames, { mode: 0o700 });
    } catch (error) {
      this.#giveUp(error);
    }
    this.#runAgain();
  }

  /** Looks once at what came and went. */
  async sweep(): Promise<void> {
    const { storeFolder, secondNames } = this.#options;
    const present = new Set((await readdir(storeFolder)).filter((name) => LARGE.test(name)));
    for (const name of present) {
      if (this.#kept.has(name) || !(await this.#keep(name))) continue;
      this.#kept.add(name);
    }
    for (const name of this.#kept) {
      if (present.has(name)) continue;
      await unlink(join(secondNames, name));
      this.#kept.delete(name);
    }
  }

  /** Ends, and leaves nothing behind. Never rejects. */
  async stop(): Promise<void> {
    this.#isRunning = false;
    this.#cancelNext?.();
    await this.#sweeping;
    await rm(this.#options.secondNames, { recursive: true, force: true }).catch(() => undefined);
  }

  /** False for a file that was removed since it was seen. */
  async #keep(name: string): Promise<boolean> {
    const { storeFolder, secondNames } = this.#options;
    try {
      await link(join(storeFolder, name), join(secondNames, name));
      return true;
    } catch (error) {
      if (error instanceof Error && "code" in error && error.code === "ENOENT") return false;
      throw error;
    }
  }

  #runAgain(): void {
    if (!this.#isRunning) return;
    this.#cancelNext = this.#options.timers.after(SWEEP_EVERY_MS, () => {
      this.#sweeping = this.sweep().then(
        () => this.#runAgain(),
        (error: unknown) => this.#giveUp(error),
      );
    });
  }

  #giveUp(error: unknown): void {
    this.#isRunning = false;
    // What is kept would be kept for ever.
    void rm(this.#options.secondNames, { recursive: true, force: true }).catch(() => undefined);
    this.#options.log.warn({ err: error }, "removed files of the store are freed by LevelDB itself: writes may stall");
  }
}
