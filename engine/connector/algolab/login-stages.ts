/**
 * The two stages of a login: the password, then the code of the SMS.
 *
 * Owns: the login that waits for its code, and why another one no longer counts. Does not own: the hash that a login
 * leaves (session.ts).
 *
 * Invariants:
 * 1. One login waits for its code: AlgoLab's SMS does not name its login, so a later one replaces it.
 * 2. Neither a password nor a code is sent twice at a time, and no third code follows two refused ones.
 * 3. A login that is over is answered as refused, with the reason; the next one can begin at any time.
 */
import { randomUUID } from "node:crypto";
import { LruCache } from "../../../src/runtime/lru-cache.ts";
import type { Clock, Log } from "../../../src/runtime/ports.ts";
import type { AlgolabApi, ApiAnswer } from "./api.ts";

const ENDED_MAX = 100;
const LOGIN_MS_MAX = 300_000;
const REFUSED_CODES_MAX = 2;

interface Login {
  readonly sessionId: string;
  readonly token: string;
  readonly startedMs: number;
  refusedCodes: number;
  isChecking: boolean;
}

interface LoginStagesOptions {
  readonly api: Pick<AlgolabApi, "login" | "confirm">;
  readonly clock: Clock;
  readonly log: Log;
}

export class LoginStages {
  readonly #options: LoginStagesOptions;
  readonly #ended = new LruCache<string, string>(ENDED_MAX);
  #waiting: Login | undefined;
  #isRequesting = false;

  constructor(options: LoginStagesOptions) {
    this.#options = options;
  }

  /** First stage: AlgoLab sends a code by SMS. Returns the id of this login. */
  async request(username: string, password: string): Promise<ApiAnswer<string>> {
    if (this.#isRequesting) return over("another login is under way: wait for its answer");
    this.#isRequesting = true;
    try {
      const answer = await this.#options.api.login(username, password);
      if (answer.kind !== "ok") return answer;
      this.#end(this.#waiting, "a later login replaced this one: give the code of that one");
      const startedMs = this.#options.clock.nowMs();
      const login = { sessionId: randomUUID(), token: answer.value, startedMs, refusedCodes: 0, isChecking: false };
      this.#waiting = login;
      return { kind: "ok", value: login.sessionId };
    } finally {
      this.#isRequesting = false;
    }
  }

  /** Second stage: the code. Returns the hash. */
  async confirm(sessionId: string, code: string): Promise<ApiAnswer<string>> {
    const { api, clock, log } = this.#options;
    const login = this.#waiting;
    if (login === undefined || login.sessionId !== sessionId) {
      const reason = this.#ended.get(sessionId);
      return over(reason ?? "this login is not known here, perhaps because the connector was restarted: begin again");
    }
    if (clock.nowMs() - login.startedMs > LOGIN_MS_MAX) {
      const reason = "this login is over, as its code came after more than five minutes: begin again";
      this.#end(login, reason);
      return over(reason);
    }
    if (login.isChecking) return over("a code of this login is being checked: wait for its answer");
    login.isChecking = true;
    const answer = await api.confirm(login.token, code).finally(() => {
      login.isChecking = false;
    });
    if (answer.kind === "ok") this.#end(login, "this login has succeeded already");
    if (answer.kind === "loggedOut") {
      const reason = "AlgoLab does not know this login any more: begin again";
      this.#end(login, reason);
      return over(reason);
    }
    if (answer.kind !== "refused") return answer;
    login.refusedCodes += 1;
    if (login.refusedCodes < REFUSED_CODES_MAX) return answer;
    this.#end(login, "this login is over, as two codes were refused: begin again");
    const next = "begin the login again with POST /api/v1/accounts/login, and give the code of the newest SMS";
    log.warn({ event: "brokerage.codeRefused" }, `AlgoLab refused two codes of a login: ${next}`);
    return answer;
  }

  #end(login: Login | undefined, reason: string): void {
    if (login === undefined) return;
    this.#ended.set(login.sessionId, reason);
    if (this.#waiting === login) this.#waiting = undefined;
  }
}

function over(text: string): ApiAnswer<never> {
  return { kind: "refused", text };
}
