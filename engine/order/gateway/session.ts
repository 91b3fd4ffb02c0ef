/**
 * What a connector reports about itself. It is asked at the start, from time to time, and before an order leaves while
 * its status is not known.
 *
 * Owns: the last status, and whether orders may leave through this connector. Does not own: asking on the bus
 * (gateway.ts), what an order's answer means (the outbox).
 *
 * Invariants:
 * 1. While the connector promises less than the settings rely on, nothing is sent.
 * 2. A connector that named its process gets its orders addressed to that process, even while it is silent: an order
 *    that is sent during the silence may arrive late, at a process that knows nothing of it.
 * 3. A connector of the first edition, which reports no status, is relied on as the settings state. Its operator is
 *    warned of that once.
 * 4. While two processes of one connector are active, nothing is sent: only one may serve the brokerage, and each may
 *    pass on an order that the other one was asked about.
 */
import { type GatewayStatus, gatewayStatusSchema } from "../../../src/contract/gateway/gateway.ts";
import { type BrokerageSettings, isStrongerPromise } from "../../../src/contract/trading/order.ts";
import type { Cancel, Clock, Log, Timers } from "../../../src/runtime/ports.ts";
import type { BrokerageSession } from "../../ports/brokerage.ts";
import { ANSWERED_WITHIN_MS, ConnectorProcesses } from "./connector-processes.ts";

const ASK_EVERY_MS = 10_000;
const LOGIN_NEEDED =
  "the session with the brokerage is over, or is not renewed; its owner must log in (POST /api/v1/accounts/login)";
const SEVERAL = "two processes of the connector answer, and one must serve the brokerage: end one";

/** The result of asking for the status: an answer's `data`, another answer, or none. */
export type StatusAnswer =
  | { readonly type: "data"; readonly data: unknown }
  | { readonly type: "refused" }
  | { readonly type: "silence" };

interface GatewaySessionOptions {
  readonly settings: BrokerageSettings;
  readonly ask: () => Promise<StatusAnswer>;
  readonly timers: Timers;
  /** Milliseconds since any moment, never stepping. */
  readonly steadyClock: Clock;
  readonly log: Log;
}

export class GatewaySession {
  readonly #options: GatewaySessionOptions;
  #told: GatewayStatus | undefined;
  #instance: string | undefined;
  /** It answers, but reports no status. */
  #isFirstEdition = false;
  #asking: Promise<void> | undefined;
  /** The state that was logged last. */
  #said = "";
  #cancelTimer: Cancel | undefined;
  #isStopped = false;
  readonly #processes = new ConnectorProcesses();
  #areSeveral = false;

  constructor(options: GatewaySessionOptions) {
    this.#options = options;
  }

  /** Asks for the status now, and repeats that until it is stopped. */
  start(): void {
    void this.#ask().finally(() => {
      if (!this.#isStopped) this.#cancelTimer = this.#options.timers.after(ASK_EVERY_MS, () => this.start());
    });
  }

  stop(): void {
    this.#isStopped = true;
    this.#cancelTimer?.();
  }

  /** Asks for the status without waiting for the answer. */
  askNow(): void {
    void this.#ask();
  }

  /** The connector's process that orders are addressed to; undefined: any process of it. */
  get instance(): string | undefined {
    return this.#instance;
  }

  view(): BrokerageSession {
    const told = this.#told;
    if (told === undefined) {
      const state = this.#isFirstEdition ? "untold" : "silent";
      const can = { canLookUp: true, canTellInstrument: false, canTellBars: false };
      return { state, since: null, resend: null, ...can, refusal: null };
    }
    const { session, since, resend, supports, needsLogin = false } = told;
    const { orderStatus: canLookUp, instrument: canTellInstrument = false, bars: canTellBars = false } = supports;
    const can = { canLookUp, canTellInstrument, canTellBars };
    return { state: session, since, resend, ...can, refusal: this.#refusal(told), ...(needsLogin && { needsLogin }) };
  }

  /** Returns why no order may be sent now, or undefined. */
  async refusal(): Promise<string | undefined> {
    if (this.#told === undefined && !this.#isFirstEdition) await this.#ask();
    return this.#told === undefined ? undefined : (this.#refusal(this.#told) ?? undefined);
  }

  /** Notes a sign of life of a process of the connector, which counts for `withinMs`. */
  noteProcess(instance: string, withinMs: number): void {
    this.#processes.hear(instance, withinMs, this.#options.steadyClock.nowMs());
    this.#judgeProcesses();
  }

  /** Notes an answered order: a connector without a status that has not named its process is of the first edition. */
  noteAnswered(): void {
    if (this.#told === undefined && this.#instance === undefined) this.#noteFirstEdition();
  }

  #ask(): Promise<void> {
    this.#asking ??= this.#askOnce().finally(() => {
      this.#asking = undefined;
    });
    return this.#asking;
  }

  async #askOnce(): Promise<void> {
    const answer = await this.#options.ask();
    const status = gatewayStatusSchema.safeParse(answer.type === "data" ? answer.data : undefined);
    if (status.success) this.#noteTold(status.data);
    else if (answer.type === "silence") this.#noteSilence();
    else this.#noteFirstEdition();
  }

  #noteTold(told: GatewayStatus): void {
    if (told.instance !== undefined) this.noteProcess(told.instance, ANSWERED_WITHIN_MS);
    this.#told = told;
    this.#instance = told.instance;
    this.#isFirstEdition = false;
    const { session, since, resend, needsLogin = false } = told;
    const refusal = this.#refusal(told);
    if (!this.#isNews(`${session} ${needsLogin} ${resend} ${refusal}`)) return;
    const fields = { brokerageCode: this.#options.settings.code, session, since, resend };
    if (refusal !== null)
      this.#options.log.error({ event: "connector.refused", ...fields }, `nothing is sent: ${refusal}`);
    else if (needsLogin) this.#options.log.warn({ event: "brokerage.loginNeeded", ...fields }, LOGIN_NEEDED);
    else if (session === "down")
      this.#options.log.warn(
        { event: "connector.sessionDown", ...fields },
        "the connector has no session with its brokerage",
      );
    else this.#options.log.info({ event: "connector.sessionUp", ...fields }, "the connector is there");
  }

  #noteSilence(): void {
    this.#told = undefined;
    if (this.#isFirstEdition || !this.#isNews("silence")) return;
    this.#options.log.warn(
      { event: "connector.silent", brokerageCode: this.#options.settings.code },
      "no connector reports its status",
    );
  }

  #noteFirstEdition(): void {
    this.#told = undefined;
    this.#instance = undefined;
    this.#isFirstEdition = true;
    if (!this.#isNews("first")) return;
    const { code, resend } = this.#options.settings;
    const message =
      "the connector is of the first edition of the gateway contract: it reports no status, its resend promise is" +
      " taken from the settings, and it does not hold late requests back";
    this.#options.log.warn({ event: "connector.firstEdition", brokerageCode: code, resend }, message);
  }

  #judgeProcesses(): boolean {
    const areSeveral = this.#processes.areSeveral(this.#options.steadyClock.nowMs());
    if (areSeveral !== this.#areSeveral) {
      this.#areSeveral = areSeveral;
      const { code: brokerageCode } = this.#options.settings;
      const { log } = this.#options;
      if (areSeveral) log.error({ event: "connector.twoProcesses", brokerageCode }, `nothing is sent: ${SEVERAL}`);
      else log.info({ event: "connector.oneProcess", brokerageCode }, "one process of the connector answers again");
    }
    return areSeveral;
  }

  #refusal({ resend: told }: GatewayStatus): string | null {
    if (this.#judgeProcesses()) return SEVERAL;
    const { code, resend } = this.#options.settings;
    if (!isStrongerPromise(resend, told)) return null;
    return `the settings rely on resend ${resend} of ${code}, and its connector promises ${told}`;
  }

  #isNews(said: string): boolean {
    if (said === this.#said) return false;
    this.#said = said;
    return true;
  }
}
