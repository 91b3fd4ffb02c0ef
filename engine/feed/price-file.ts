/**
 * The file of last prices.
 *
 * Owns: opening it, and whether its content can be relied on. Does not own: its content (last-prices.ts).
 *
 * Invariant: after the machine itself went down, nothing that was not on its disk is read. The first slot names the run
 * of the machine in which the file was written, and another run begins with an empty file.
 */
import { closeSync, constants, openSync, readFileSync, rmSync, writeSync } from "node:fs";
import { uptime } from "node:os";
import type { Clock } from "../../src/runtime/ports.ts";
import type { PriceSlots } from "./last-prices.ts";

const HEADER_BYTES = 64;
const FORM = "prices 1";
const MINUTE_S = 60;

export class PriceFile implements PriceSlots {
  readonly #path: string;
  readonly #header: Buffer;
  #descriptor: number | undefined;

  constructor(path: string, clock: Clock) {
    this.#path = path;
    this.#header = Buffer.from(`${FORM} ${runOfMachine(clock)}`.padEnd(HEADER_BYTES).slice(0, HEADER_BYTES));
  }

  read(): Uint8Array {
    let bytes: Buffer;
    try {
      bytes = readFileSync(this.#path);
    } catch {
      return new Uint8Array(0);
    }
    const isOfThisRun = bytes.length > HEADER_BYTES && bytes.subarray(0, HEADER_BYTES).equals(this.#header);
    return isOfThisRun ? bytes.subarray(HEADER_BYTES) : new Uint8Array(0);
  }

  write(bytes: Uint8Array, position: number): void {
    try {
      const isNew = this.#descriptor === undefined;
      this.#descriptor ??= openSync(this.#path, constants.O_CREAT | constants.O_TRUNC | constants.O_WRONLY, 0o600);
      writeAll(this.#descriptor, bytes, HEADER_BYTES + position);
      // After the slots that the header covers.
      if (isNew) writeAll(this.#descriptor, this.#header, 0);
    } catch (error) {
      this.remove();
      throw error;
    }
  }

  close(): void {
    if (this.#descriptor !== undefined) closeSync(this.#descriptor);
    this.#descriptor = undefined;
  }

  remove(): void {
    this.close();
    rmSync(this.#path, { force: true });
  }
}

function writeAll(descriptor: number, bytes: Uint8Array, position: number): void {
  for (let written = 0; written < bytes.length; ) {
    written += writeSync(descriptor, bytes, written, bytes.length - written, position + written);
  }
}

/** Returns an id that differs after every start of the machine. */
function runOfMachine(clock: Clock): string {
  try {
    return readFileSync("/proc/sys/kernel/random/boot_id", "latin1").trim();
  } catch {
    return `since ${Math.round((clock.nowMs() / 1_000 - uptime()) / MINUTE_S)}`;
  }
}
