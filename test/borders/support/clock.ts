/** A wall clock of a process with an offset from a file. The offset can change at any time, as NTP changes a clock. */
import { writeFileSync } from "node:fs";

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
