/**
 * What an operator must mend, as one log line each: which setting is wrong, and what to do.
 *
 * Owns: the words, and that a fault which lasts is not logged at every request. Does not own: what an answer means for an
 * order (connector.ts).
 *
 * Invariant: no line contains a key, a hash, a password, a code or the text of an answer.
 */
import type { Clock, Log } from "../../../src/runtime/ports.ts";

/** A fault that lasts is logged again after this. */
const TOLD_EVERY_MS = 600_000;
/** The header has whole seconds, and an answer takes a moment. */
const CLOCKS_APART_MS_MAX = 5_000;

const TROUBLES = {
  keyRefused: "AlgoLab refused the API key (401): compare apiKey with the key on AlgoLab's page",
  tooFast:
    "AlgoLab asks for fewer requests (429): raise requestIntervalSeconds, or end the other program that uses apiKey",
  answerUnreadable:
    "AlgoLab's answer is not JSON: AlgoLab shows a page of its own (maintenance), or url names another server",
  messageUnreadable: "a message of AlgoLab's stream cannot be read and is skipped: report it if it lasts",
  unreachable: "no connection to AlgoLab could be made: check url, the network and the certificates of this machine",
  sessionUnreadable: "sessionFile cannot be read: mend or remove it, then log in with POST /api/v1/accounts/login",
  clockOff:
    "the clocks of this machine and of AlgoLab differ: set this machine's clock (NTP). An order without an answer stays in doubt until then",
} as const;
export type Trouble = keyof typeof TROUBLES;

export class TroubleLog {
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #toldMs = new Map<Trouble, number>();

  constructor(clock: Clock, log: Log) {
    this.#clock = clock;
    this.#log = log;
  }

  /** Logs the trouble, unless it was logged in the last ten minutes. */
  tell(trouble: Trouble, fields: object): void {
    const nowMs = this.#clock.nowMs();
    const toldMs = this.#toldMs.get(trouble);
    if (toldMs !== undefined && Math.abs(nowMs - toldMs) < TOLD_EVERY_MS) return;
    this.#toldMs.set(trouble, nowMs);
    this.#log.warn({ event: `brokerage.${trouble}`, ...fields }, TROUBLES[trouble]);
  }

  /** Compares the clocks by the `Date` header of an answer to a request that left at `leftMs`. */
  compareClocks(dateHeader: string | null, leftMs: number): void {
    const theirsMs = Date.parse(dateHeader ?? "");
    if (Number.isNaN(theirsMs)) return;
    const aheadMs = Math.round((leftMs + this.#clock.nowMs()) / 2 - theirsMs);
    if (Math.abs(aheadMs) > CLOCKS_APART_MS_MAX) this.tell("clockOff", { aheadMs });
  }
}
