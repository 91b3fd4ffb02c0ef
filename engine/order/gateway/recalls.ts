/**
 * Orders that wait for the connector's answer, and recalls of orders that wait for long. If a message server died, the
 * fate of its orders is known a moment later, not after the whole time limit and a look-up.
 *
 * Owns: which orders are asked about, when, and the meaning of the answer. Does not own: sending (gateway.ts), the
 * connector's memory (connector/host).
 *
 * Invariants:
 * 1. An order counts as not sent only by the answer of the process it was addressed to, which refuses it from then on.
 * 2. That answer counts only within the order's time limit on both clocks, as the steady clock stops with the machine.
 *    Later the process may have forgotten the orders that it received.
 * 3. The number of an attempt that was asked about is not used again: a question may arrive late and bar it.
 * 4. Few orders are asked about at a time: a burst that waits in a queue must not become two.
 */
import type { RecallAnswer, RecallRequest } from "../../../src/contract/gateway/gateway.ts";
import { type BrokerReply, isSentAgain, type OrderAnswer } from "../../../src/contract/trading/order.ts";
import { DualClock, type Moment } from "../../../src/runtime/moment.ts";
import type { Cancel, Clock, Timers } from "../../../src/runtime/ports.ts";

const LOOK_EVERY_MS = 50;
/** Nearly every answer has arrived by then. */
const PATIENCE_MS = 150;
const ASKED_MAX = 16;

type Reply = BrokerReply<OrderAnswer>;

const RECALLED: Reply = {
  ok: false,
  code: "NOT_SENT",
  message: "the connector did not receive the order, and will not pass it on",
};

interface RecallsOptions {
  /** Never rejects. */
  readonly ask: (request: RecallRequest) => Promise<BrokerReply<RecallAnswer>>;
  /** How long an order may wait for its answer. */
  readonly withinMs: number;
  readonly timers: Timers;
  readonly clock: Clock;
  readonly steadyClock: Clock;
}

interface Waiting {
  readonly request: RecallRequest;
  readonly sent: Moment;
  readonly settle: (reply: Reply) => void;
  /** When the next question about it is due, by the steady clock. */
  dueMs: number;
  wasAsked: boolean;
}

export class Recalls {
  readonly #options: RecallsOptions;
  readonly #clocks: DualClock;
  readonly #waiting = new Set<Waiting>();
  #askedCount = 0;
  #cancelLook: Cancel | undefined;

  constructor(options: RecallsOptions) {
    this.#options = options;
    this.#clocks = new DualClock(options);
  }

  /** Sends an order. The first answer counts: to the order, or to a question about it. `send` never rejects. */
  watch(request: RecallRequest, send: () => Promise<Reply>): Promise<Reply> {
    return new Promise((resolve) => {
      const sent = this.#clocks.now();
      const settle = (reply: Reply): void => {
        this.#waiting.delete(waiting);
        resolve(waiting.wasAsked ? withAttemptSpent(reply) : reply);
      };
      const waiting: Waiting = {
        ...{ request, sent, settle },
        ...{ dueMs: sent.steadyMs + PATIENCE_MS, wasAsked: false },
      };
      this.#waiting.add(waiting);
      void send().then(settle);
      this.#planLook();
    });
  }

  stop(): void {
    this.#cancelLook?.();
    this.#waiting.clear();
  }

  #planLook(): void {
    this.#cancelLook ??= this.#options.timers.after(LOOK_EVERY_MS, () => {
      this.#cancelLook = undefined;
      this.#look();
      if (this.#waiting.size > 0) this.#planLook();
    });
  }

  #look(): void {
    const nowMs = this.#options.steadyClock.nowMs();
    for (const waiting of this.#waiting) {
      if (this.#askedCount >= ASKED_MAX) return;
      if (waiting.dueMs <= nowMs) void this.#ask(waiting);
    }
  }

  async #ask(waiting: Waiting): Promise<void> {
    const { ask, steadyClock, withinMs } = this.#options;
    waiting.dueMs = Number.POSITIVE_INFINITY;
    waiting.wasAsked = true;
    this.#askedCount += 1;
    const reply = await ask(waiting.request);
    this.#askedCount -= 1;
    if (reply.ok && this.#clocks.msSince(waiting.sent) < withinMs) {
      if (reply.data.attempt === "recalled") return waiting.settle(RECALLED);
      if (reply.data.attempt === "answered") return waiting.settle(reply.data.answer);
    }
    // An order on its way is asked about less and less often; soon again if the question got no answer.
    const nowMs = steadyClock.nowMs();
    waiting.dueMs = nowMs + (reply.ok ? nowMs - waiting.sent.steadyMs : LOOK_EVERY_MS);
  }
}

function withAttemptSpent(reply: Reply): Reply {
  return !reply.ok && isSentAgain(reply) ? { ...reply, isAttemptSpent: true } : reply;
}
