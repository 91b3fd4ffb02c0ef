/**
 * The login at AlgoLab: two stages, a hash for a day, a refresh every few minutes.
 *
 * Owns: the hash and its file, the tokens of logins under way, whether orders can leave. Does not own: requests (api.ts),
 * which user can log in (connector.ts).
 *
 * Invariants:
 * 1. Neither a password nor a code is stored or logged. The hash lies in a file of mode 0600.
 * 2. It is up only after AlgoLab accepted the hash and today's orders were read with it.
 * 3. A request that AlgoLab answers with 401 ends the session: until the next login no order leaves.
 */
import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { writeDurableFile } from "../../../src/runtime/durable-file.ts";
import { LruCache } from "../../../src/runtime/lru-cache.ts";
import type { Cancel, Clock, Log, Timers } from "../../../src/runtime/ports.ts";
import type { AlgolabApi, ApiAnswer } from "./api.ts";

const LOGINS_MAX = 100;
const LOGIN_MS_MAX = 300_000;
const NEEDED = "log in: POST /api/v1/accounts/login";

interface SessionOptions {
  readonly file: string;
  readonly refreshMs: number;
  /** How long until today's orders are asked for again, in milliseconds, if AlgoLab did not answer after a login. */
  readonly retryMs: number;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly log: Log;
  /** Reads today's orders of all accounts; false if AlgoLab did not answer. */
  readonly readOrders: () => Promise<boolean>;
}

interface Login {
  readonly token: string;
  readonly startedMs: number;
}

export class AlgolabSession {
  readonly #options: SessionOptions;
  readonly #logins = new LruCache<string, Login>(LOGINS_MAX);
  #api!: AlgolabApi;
  #hash: string | undefined;
  #isUp = false;
  #reason = NEEDED;
  #sinceMs: number;
  #cancelNext: Cancel = () => undefined;
  #isStopped = false;

  constructor(options: SessionOptions) {
    this.#options = options;
    this.#hash = readHash(options.file);
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
    if (this.#hash === undefined)
      this.#options.log.warn({ event: "brokerage.loginNeeded" }, `no login at AlgoLab: ${NEEDED}`);
    else void this.#begin();
  }

  stop(): void {
    this.#isStopped = true;
    this.#cancelNext();
  }

  /** First stage: AlgoLab sends a code by SMS. Returns the id of this login. */
  async request(username: string, password: string): Promise<ApiAnswer<string>> {
    const answer = await this.#api.login(username, password);
    if (answer.kind !== "ok") return answer;
    const sessionId = randomUUID();
    this.#logins.set(sessionId, { token: answer.value, startedMs: this.#options.clock.nowMs() });
    return { kind: "ok", value: sessionId };
  }

  /** Second stage: the code. `undefined` if there is no such login, or it began more than five minutes ago. */
  async confirm(sessionId: string, code: string): Promise<ApiAnswer<void> | undefined> {
    const login = this.#logins.get(sessionId);
    if (login === undefined || this.#options.clock.nowMs() - login.startedMs > LOGIN_MS_MAX) return undefined;
    const answer = await this.#api.confirm(login.token, code);
    if (answer.kind !== "ok") return answer;
    this.#logins.delete(sessionId);
    this.#hash = answer.value;
    await writeDurableFile(this.#options.file, `${answer.value}\n`);
    await this.#begin();
    return { kind: "ok", value: undefined };
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
    if (answer.kind === "loggedOut") this.loggedOut(answer.hash);
    else this.#later(this.#options.refreshMs, () => this.#refresh());
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

/** The hash that a login left; `undefined` if there is none. */
export function readHash(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8").trim() || undefined;
  } catch {
    return undefined;
  }
}
