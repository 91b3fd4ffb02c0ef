/**
 * Plays a recording of ticks into the bus.
 *
 * Owns: pace, back-pressure, progress. Does not own: the lines (tick-lines.ts), the subscribers.
 *
 * The times in the file are in the past, and ticks with them would be refused as stale or worse. They set the pace, and
 * every tick is published with the current time.
 *
 * Invariants:
 * 1. The file is read line by line, no faster than it is published; the order is the file's.
 * 2. A line that is not a tick is counted and left out.
 * 3. While the bus is disconnected nothing is published, so that no tick of the file is lost.
 */
import { type FileHandle, open } from "node:fs/promises";
import { BusClosedError } from "../../../src/bus/port.ts";
import type { Cancel } from "../../../src/runtime/ports.ts";
import { decodeText } from "../../../src/runtime/text-file.ts";
import { UserError } from "../../../src/runtime/user-error.ts";
import { readLines } from "./lines.ts";
import { type PublisherPorts, publishTick } from "./publisher.ts";
import { type RecordedTick, TickLineReader } from "./tick-lines.ts";

interface ReplayOptions extends PublisherPorts {
  readonly path: string;
  /** The factor on the pace of the file's own times; 0: as fast as the bus accepts them. */
  readonly speed: number;
}

interface ReplayOutcome {
  readonly ticks: number;
  readonly skippedLines: number;
}

/** A running replay. */
interface RunningReplay {
  /** Ends all publishing. */
  stop(): void;
  /** Resolves when it ended by itself or was stopped; does not reject. */
  readonly done: Promise<ReplayOutcome>;
}

const LINE_BYTES_MAX = 64 * 1024;
const START_BYTES = 64 * 1024;
/** The bus confirms before more than this many are in flight. */
const FLUSH_TICKS = 1_000;
const PROGRESS_MS = 5_000;
const RETRY_MS = 250;
/** A longer wait is split into several. */
const WAIT_MS_MAX = 60_000;

/** Starts to publish. Rejects, with a line for the operator, if the file cannot be opened. */
export async function startReplay(options: ReplayOptions): Promise<RunningReplay> {
  const file = await openRecording(options.path);
  const replay = new Replay(options);
  return { stop: () => replay.stop(), done: replay.run(file) };
}

/** Opens the file of a recording for reading. Rejects with a line for the operator if it is not available. */
export async function openRecording(path: string): Promise<FileHandle> {
  try {
    const file = await open(path, "r");
    if ((await file.stat()).isFile()) return await withTextAtItsStart(file, path);
    await file.close();
  } catch (error) {
    if (error instanceof UserError) throw error;
    throw new UserError(`FEED: replay cannot read ${path}: ${error instanceof Error ? error.message : String(error)}`, {
      reason: "noInput",
      cause: error,
    });
  }
  throw new UserError(`FEED: replay cannot read ${path}: it is not a file`, { reason: "noInput" });
}

/**
 * Checks the encoding: a recording in another one has no line that could be a tick. It is refused, not skipped line by
 * line.
 */
async function withTextAtItsStart(file: FileHandle, path: string): Promise<FileHandle> {
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(START_BYTES), 0, START_BYTES, 0);
    const lastLine = buffer.lastIndexOf("\n", bytesRead - 1);
    decodeText(`FEED: replay: ${path}`, buffer.subarray(0, bytesRead < START_BYTES ? bytesRead : lastLine + 1));
    return file;
  } catch (error) {
    await file.close();
    throw error;
  }
}

class Replay {
  readonly #options: ReplayOptions;
  #ticks = 0;
  #skippedLines = 0;
  #sinceFlush = 0;
  #toldMs: number;
  /** A time of the file and the clock's time that corresponds to it. */
  #origin: { readonly fileMs: number; readonly clockMs: number } | undefined;
  #isStopped = false;
  #wake: () => void = () => undefined;

  constructor(options: ReplayOptions) {
    this.#options = options;
    this.#toldMs = options.clock.nowMs();
  }

  stop(): void {
    this.#isStopped = true;
    this.#wake();
  }

  async run(file: FileHandle): Promise<ReplayOutcome> {
    const { log, path } = this.#options;
    try {
      await this.#play(file);
    } catch (error) {
      log.error({ event: "replay.failed", path, error: String(error) }, "replay: ended early");
    } finally {
      await file.close().catch(() => undefined);
    }
    const outcome = { ticks: this.#ticks, skippedLines: this.#skippedLines };
    log.info({ event: "replay.ended", path, ...outcome }, `replayed ${this.#progress()}`);
    return outcome;
  }

  async #play(file: FileHandle): Promise<void> {
    const reader = new TickLineReader();
    for await (const line of readLines(file, LINE_BYTES_MAX)) {
      const tick = line === undefined ? "malformed" : reader.read(line);
      if (tick === "malformed") this.#skippedLines += 1;
      else if (tick !== "nothing") await this.#publish(tick);
      this.#tellProgress();
      if (this.#isStopped) return;
    }
    await this.#flush();
  }

  async #publish({ symbol, price, timeMs }: RecordedTick): Promise<void> {
    if (timeMs !== undefined) await this.#waitFor(timeMs);
    if (this.#sinceFlush >= FLUSH_TICKS || this.#options.bus.status === "disconnected") await this.#flush();
    if (this.#isStopped) return;
    publishTick(this.#options, symbol, price);
    this.#ticks += 1;
    this.#sinceFlush += 1;
  }

  /** Waits until the tick of that file time is due. A time before the first one is due immediately. */
  async #waitFor(fileMs: number): Promise<void> {
    const { clock, speed } = this.#options;
    if (speed === 0) return;
    this.#origin ??= { fileMs, clockMs: clock.nowMs() };
    const dueMs = this.#origin.clockMs + (fileMs - this.#origin.fileMs) / speed;
    for (;;) {
      const leftMs = dueMs - clock.nowMs();
      if (leftMs <= 0 || this.#isStopped) return;
      await this.#pause(Math.min(Math.ceil(leftMs), WAIT_MS_MAX));
    }
  }

  /** Resolves when all published ticks have arrived; retries while the bus is disconnected. */
  async #flush(): Promise<void> {
    while (!this.#isStopped) {
      try {
        await this.#options.bus.flush();
        this.#sinceFlush = 0;
        return;
      } catch (error) {
        if (error instanceof BusClosedError) this.stop();
        else await this.#pause(RETRY_MS);
      }
    }
  }

  #pause(delayMs: number): Promise<void> {
    return new Promise((resolve) => {
      let cancel: Cancel = () => undefined;
      this.#wake = () => {
        cancel();
        resolve();
      };
      cancel = this.#options.timers.after(delayMs, this.#wake);
    });
  }

  #tellProgress(): void {
    const { clock, log, path } = this.#options;
    const nowMs = clock.nowMs();
    if (nowMs - this.#toldMs < PROGRESS_MS) return;
    this.#toldMs = nowMs;
    log.info(
      { event: "replay.progress", path, ticks: this.#ticks, skippedLines: this.#skippedLines },
      `replay: ${this.#progress()}`,
    );
  }

  #progress(): string {
    return `${withCommas(this.#ticks)} ticks, ${withCommas(this.#skippedLines)} lines skipped`;
  }
}

function withCommas(count: number): string {
  return count.toLocaleString("en-US");
}
