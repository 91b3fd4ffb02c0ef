/**
 * The session at AlgoLab: a hash for a day, and a refresh every few minutes.
 *
 * Owns: the hash and its file, whether orders can leave. Does not own: the stages of a login (login-stages.ts),
 * requests (api.ts), which user can log in (connector.ts).
 *
 * Invariants:
 * 1. Neither a password nor a code is stored or logged. The hash lies in a file of mode 0600.
 * 2. It is up only after AlgoLab accepted the hash and today's orders were read with it.
 * 3. A request that AlgoLab answers with 401 ends the session: until the next login no order leaves.
 * 4. A refresh that is refused ends nothing, and its owner is asked for a login until one is not.
 * 5. A fault of the file prevents no login: the hash of a login counts also if it could not be written.
 */
import { writeDurableFile } from "../../../src/runtime/durable-file.ts";
import type { Cancel, Clock, Log, Timers } from "../../../src/runtime/ports.ts";
import type { AlgolabApi, ApiAnswer } from "./api.ts";
import { LoginStages } from "./login-stages.ts";
import { readSessionFile } from "./session-file.ts";
import type { TroubleLog } from "./trouble-log.ts";

const NEEDED = "log in: POST /api/v1/accounts/login";

interface SessionOptions {
  readonly file: string;
  readonly refreshMs: number;
  /** How long until today's orders are asked for again, in milliseconds, if AlgoLab did not answer after a login. */
  readonly retryMs: number;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly log: Log;
  readonly troubles: TroubleLog;
  /** Reads today's orders of all accounts; false if AlgoLab did not answer. */
  readonly readOrders: () => Promise<boolean>;
}

export class AlgolabSession {
  readonly #options: SessionOptions;
  #api!: AlgolabApi;
  #stages!: LoginStages;
  #hash: string | undefined;
  #isUp = false;
  #reason = NEEDED;
  #sinceMs: number;
  #cancelNext: Cancel = () => undefined;
  #isRefreshRefused = false;
  #isStopped = false;

  constructor(options: SessionOptions) {
    this.#options = options;
    this.#hash = readSessionFile(options.file, options.troubles);
    this.#sinceMs = options.clock.nowMs();
  }

  get hash(): string | undefined {
    return this.#hash;
  }

  get isUp(): boolean {
    return this.#isUp;
  }

  /** True if only a login by its owner helps. */
  get isLoginNeeded(): boolean {
    return this.#hash === undefined;
  }

  /** True also while it works and AlgoLab does not refresh it: it can end at any time. */
  get isLoginDue(): boolean {
    return this.isLoginNeeded || this.#isRefreshRefused;
  }

  get sinceMs(): number {
    return this.#sinceMs;
  }

  /** Why it is not up. */
  get reason(): string {
    return this.#reason;
  }

  /** Begins with the hash of the file, if there is one. */
  start(api: AlgolabApi): void {
    this.#api = api;
    this.#stages = new LoginStages({ api, clock: this.#options.clock, log: this.#options.log });
    if (this.#hash === undefined)
      this.#options.log.warn({ event: "brokerage.loginNeeded" }, `no login at AlgoLab: ${NEEDED}`);
    else void this.#begin();
  }

  stop(): void {
    this.#isStopped = true;
    this.#cancelNext();
  }

  /** First stage: AlgoLab sends a code by SMS. Returns the id of this login. */
  request(username: string, password: string): Promise<ApiAnswer<string>> {
    return this.#stages.request(username, password);
  }

  /** Second stage: the code. A login that is over is `refused`, with the reason. */
  async confirm(sessionId: string, code: string): Promise<ApiAnswer<void>> {
    const answer = await this.#stages.confirm(sessionId, code);
    if (answer.kind !== "ok") return answer;
    this.#hash = answer.value;
    this.#isRefreshRefused = false;
    await this.#keepHash(answer.value);
    await this.#begin();
    return { kind: "ok", value: undefined };
  }

  async #keepHash(hash: string): Promise<void> {
    const { file, log } = this.#options;
    try {
      await writeDurableFile(file, `${hash}\n`);
    } catch (error) {
      const reason = error instanceof Error && "code" in error ? error.code : "unknown";
      log.error(
        { event: "brokerage.sessionNotKept", file, reason },
        "the login counts, and could not be written to sessionFile: mend the file. Until then the feed has no login, and a restart needs a new one",
      );
    }
  }

  /** AlgoLab did not accept `hash`. The answer to a request from before the last login does not end that login. */
  loggedOut(hash: string | undefined): void {
    if (this.#hash === undefined || hash !== this.#hash) return;
    this.#hash = undefined;
    this.#cancelNext();
    this.#turn(false, NEEDED);
    this.#options.log.warn({ event: "brokerage.loginNeeded" }, `the login at AlgoLab is over: ${NEEDED}`);
  }

  async #begin(): Promise<void> {
    this.#cancelNext();
    const hash = this.#hash;
    const isRead = await this.#options.readOrders();
    if (this.#hash !== hash || hash === undefined || this.#isStopped) return;
    if (isRead) {
      this.#turn(true, "logged in");
      this.#options.log.info({ event: "brokerage.sessionUp" }, "the session is up");
      this.#later(this.#options.refreshMs, () => this.#refresh());
    } else {
      this.#turn(false, "AlgoLab did not answer the request for today's orders");
      this.#later(this.#options.retryMs, () => this.#begin());
    }
  }

  async #refresh(): Promise<void> {
    const answer = await this.#api.refreshSession();
    if (answer.kind === "loggedOut") {
      this.loggedOut(answer.hash);
      return;
    }
    this.#later(this.#options.refreshMs, () => this.#refresh());
    if (answer.kind === "ok") this.#isRefreshRefused = false;
    if (answer.kind !== "refused") return;
    if (!this.#isRefreshRefused) {
      const { log } = this.#options;
      log.warn({ event: "brokerage.refreshRefused" }, `AlgoLab did not refresh the login: if it ends, ${NEEDED}`);
    }
    this.#isRefreshRefused = true;
    // The answer to a question shows whether the login is over: a 401 ends the session.
    await this.#options.readOrders();
  }

  #later(delayMs: number, task: () => Promise<void>): void {
    this.#cancelNext();
    if (!this.#isStopped) this.#cancelNext = this.#options.timers.after(delayMs, () => void task());
  }

  #turn(isUp: boolean, reason: string): void {
    if (isUp !== this.#isUp) this.#sinceMs = this.#options.clock.nowMs();
    this.#isUp = isUp;
    this.#reason = reason;
  }
}
