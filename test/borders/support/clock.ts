/** Clocks of processes that a test moves: the wall clock, and the clocks of a zone. */
import { writeFileSync } from "node:fs";
import { dayIn, startOfDayMs } from "../../../src/domain/time-zone.ts";

const DAY_MS = 86_400_000;

/** A wall clock of a process with an offset from a file. The offset can change at any time, as NTP changes a clock. */
export class WrongClock {
  readonly #path: string;

  constructor(path: string) {
    this.#path = path;
    this.setAhead(0);
  }

  setAhead(byMs: number): void {
    writeFileSync(this.#path, String(byMs));
  }

  /** The environment in which a Node process uses this clock. */
  get environment(): Readonly<Record<string, string>> {
    const preloaded = [
      'import { readFileSync } from "node:fs";',
      "const trueMs = Date.now;",
      `Date.now = () => trueMs() + Number(readFileSync(${JSON.stringify(this.#path)}, "utf8"));`,
    ].join("\n");
    return { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(preloaded)}` };
  }
}

/** A zone whose clocks show midnight at a chosen moment, while the clock of the machine stays right. */
export class MovedMidnight {
  readonly #path: string;
  readonly #zone: string;

  constructor(path: string, zone: string) {
    this.#path = path;
    this.#zone = zone;
    this.#set(0);
  }

  /** Its next day begins in about `inMs`; returns that day, as `2026-03-02`. */
  beginIn(inMs: number): string {
    const beginMs = Math.ceil((Date.now() + inMs) / 1_000) * 1_000;
    const [today, shownMs] = [dayIn(this.#zone, beginMs), beginMs - startOfDayMs(this.#zone, beginMs)];
    this.#set(DAY_MS - shownMs);
    return new Date((today + 1) * DAY_MS).toISOString().slice(0, 10);
  }

  /** The import that gives a Node process this zone. */
  get preload(): string {
    const preloaded = [
      'import { readFileSync } from "node:fs";',
      "const { formatToParts } = Intl.DateTimeFormat.prototype;",
      "Intl.DateTimeFormat.prototype.formatToParts = function (timeMs) {",
      `  const isMoved = this.resolvedOptions().timeZone === ${JSON.stringify(this.#zone)};`,
      `  const shiftMs = isMoved ? Number(readFileSync(${JSON.stringify(this.#path)}, "utf8")) : 0;`,
      "  return formatToParts.call(this, Number(timeMs) + shiftMs);",
      "};",
    ].join("\n");
    return `--import=data:text/javascript,${encodeURIComponent(preloaded)}`;
  }

  #set(shiftMs: number): void {
    writeFileSync(this.#path, String(shiftMs));
  }
}
