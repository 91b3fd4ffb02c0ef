/** A wall clock of a process that is off by what a file says, from one moment to the next, as NTP or an operator sets it. */
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

  /** What a Node process is started with to live by this clock. */
  get environment(): Readonly<Record<string, string>> {
    const preloaded = [
      'import { readFileSync } from "node:fs";',
      "const trueMs = Date.now;",
      `Date.now = () => trueMs() + Number(readFileSync(${JSON.stringify(this.#path)}, "utf8"));`,
    ].join("\n");
    return { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(preloaded)}` };
  }
}
