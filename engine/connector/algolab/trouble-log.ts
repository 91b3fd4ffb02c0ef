/**
 * What an operator must mend, as one log line each: which setting is wrong, and what to do.
 *
 * Owns: the words, and that a fault which lasts is not logged at every request. Does not own: what an answer means for
 * an order (connector.ts).
 *
 * Invariant: no line contains a key, a hash, a password, a code or the text of an answer.
 */
import type { Clock, Log } from "../../../src/runtime/ports.ts";

/** A fault that lasts is logged again after this. */
const TOLD_EVERY_MS = 600_000;
/** Times of orders are compared with AlgoLab's, with this tolerance. */
export const CLOCKS_APART_MS_MAX = 2_000;
const SECOND_MS = 1_000;

const TROUBLES = {
  keyRefused: {
    event: "brokerage.keyRefused",
    text: "AlgoLab refused the API key (401): compare apiKey with the key on AlgoLab's page",
  },
  tooFast: {
    event: "brokerage.tooFast",
    text: "AlgoLab asks for fewer requests (429): raise requestIntervalSeconds, or end the other program that uses apiKey",
  },
  answerUnreadable: {
    event: "brokerage.answerUnreadable",
    text: "AlgoLab's answer cannot be read: it shows a page of its own (maintenance), url names another server, or the form of its answers changed",
  },
  messageUnreadable: {
    event: "brokerage.messageUnreadable",
    text: "a message of AlgoLab's stream cannot be read and is skipped: report it if it lasts",
  },
  unreachable: {
    event: "brokerage.unreachable",
    text: "no connection to AlgoLab could be made: check url, the network and the certificates of this machine",
  },
  sessionUnreadable: {
    event: "brokerage.sessionUnreadable",
    text: "sessionFile cannot be read: mend or remove it, then log in with POST /api/v1/accounts/login",
  },
  clockOff: {
    event: "brokerage.clockOff",
    text: "the clocks of this machine and of AlgoLab differ: set this machine's clock (NTP). An order without an answer stays in doubt until then",
  },
} as const;
export type Trouble = keyof typeof TROUBLES;

export class TroubleLog {
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #toldMs = new Map<Trouble, number>();
  #clockAheadMs = 0;

  constructor(clock: Clock, log: Log) {
    this.#clock = clock;
    this.#log = log;
  }

  /** How far this machine's clock is ahead of AlgoLab's for certain, in milliseconds; negative: behind. */
  get clockAheadMs(): number {
    return this.#clockAheadMs;
  }

  /** Logs the trouble, unless it was logged in the last ten minutes. */
  tell(trouble: Trouble, fields: object): void {
    const nowMs = this.#clock.nowMs();
    const toldMs = this.#toldMs.get(trouble);
    if (toldMs !== undefined && Math.abs(nowMs - toldMs) < TOLD_EVERY_MS) return;
    this.#toldMs.set(trouble, nowMs);
    const { event, text } = TROUBLES[trouble];
    this.#log.warn({ event, ...fields }, text);
  }

  /**
   * Compares the clocks by the `Date` header of an answer to a request that left at `leftMs`. The header has whole
   * seconds, and the answer takes its time: only a difference that neither explains counts.
   */
  compareClocks(dateHeader: string | null, leftMs: number): void {
    const theirsMs = Date.parse(dateHeader ?? "");
    if (Number.isNaN(theirsMs)) return;
    const leastMs = leftMs - (theirsMs + SECOND_MS);
    const aheadMs = leastMs > 0 ? leastMs : Math.min(this.#clock.nowMs() - theirsMs, 0);
    this.#clockAheadMs = aheadMs;
    if (Math.abs(aheadMs) > CLOCKS_APART_MS_MAX) this.tell("clockOff", { aheadMs });
  }
}
