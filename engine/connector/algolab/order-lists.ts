/**
 * The lists of today's orders as they were read, one for each account.
 *
 * Owns: sharing requests, which list is the newest, whether a list is whole. Does not own: the meaning of a row for an
 * order (order.ts), the proofs of a list (connector.ts).
 *
 * Invariants:
 * 1. A list is as fresh as each caller needs it: a request is shared only before it leaves.
 * 2. An older answer that arrives late replaces nothing: it would open ended orders again. An answer that arrives after
 *    the end of its day does not count.
 */
import type { Clock } from "../../../src/runtime/ports.ts";
import type { AlgolabApi, ApiAnswer, OrderRow } from "./api.ts";
import type { AlgolabAccountSettings } from "./config.ts";
import { istanbulDay } from "./protocol.ts";
import { URGENCY, type Urgency } from "./request-queue.ts";

/** Today's orders of an account, and the moment at which the request for them left, by both clocks. */
export interface OrderList {
  readonly rows: readonly OrderRow[];
  readonly askedAtMs: number;
  readonly askedAtSteadyMs: number;
}

interface WaitingRead {
  readonly mark: symbol;
  readonly urgency: Urgency;
  readonly answer: Promise<ApiAnswer<OrderList>>;
}

interface OrderListsOptions {
  readonly api: Pick<AlgolabApi, "todaysOrders">;
  readonly clock: Clock;
  readonly steadyClock: Clock;
  readonly ask: <T>(asked: Promise<ApiAnswer<T>>) => Promise<ApiAnswer<T>>;
  /** Takes each row of a new list; the list is returned once all are taken. */
  readonly take: (account: AlgolabAccountSettings, row: OrderRow) => Promise<void>;
}

export class OrderLists {
  readonly #options: OrderListsOptions;
  readonly #lists = new Map<string, OrderList>();
  /** Of each account the numbers that lists of a day had. */
  readonly #listed = new Map<string, { readonly day: number; readonly numbers: Set<string> }>();
  /** Of each account the request for today's orders that has not left. */
  readonly #waitingReads = new Map<string, WaitingRead>();

  constructor(options: OrderListsOptions) {
    this.#options = options;
  }

  /** The last list of an account. */
  last(accountNumber: string): OrderList | undefined {
    return this.#lists.get(accountNumber);
  }

  /** Reads today's orders. Callers that ask before the request leaves share it: each slot counts. */
  read(account: AlgolabAccountSettings, urgency: Urgency = URGENCY.poll): Promise<ApiAnswer<OrderList>> {
    const { accountNumber } = account;
    const waiting = this.#waitingReads.get(accountNumber);
    if (waiting !== undefined && waiting.urgency <= urgency) return waiting.answer;
    const mark = Symbol(accountNumber);
    let isWaiting = true;
    const stopSharing = (): void => {
      isWaiting = false;
      if (this.#waitingReads.get(accountNumber)?.mark === mark) this.#waitingReads.delete(accountNumber);
    };
    const answer = this.#request(account, urgency, stopSharing).finally(stopSharing);
    if (isWaiting) this.#waitingReads.set(accountNumber, { mark, urgency, answer });
    return answer;
  }

  /**
   * Whether a list lacks an order that an earlier list of its day had, or one of `numbers`, which AlgoLab gave that
   * day: then it is not whole, and proves nothing.
   */
  isCutShort(accountNumber: string, { rows, askedAtMs }: OrderList, numbers: readonly string[]): boolean {
    const known = this.#listed.get(accountNumber);
    const expected = known?.day === istanbulDay(askedAtMs) ? [...known.numbers, ...numbers] : numbers;
    const listed = new Set(rows.map(({ atpref }) => atpref));
    return expected.some((number) => !listed.has(number));
  }

  async #request(
    account: AlgolabAccountSettings,
    urgency: Urgency,
    onLeaving: () => void,
  ): Promise<ApiAnswer<OrderList>> {
    const { api, clock, steadyClock, ask, take } = this.#options;
    let askedAtMs = clock.nowMs();
    let askedAtSteadyMs = steadyClock.nowMs();
    const noteTime = (): void => {
      askedAtMs = clock.nowMs();
      askedAtSteadyMs = steadyClock.nowMs();
      onLeaving();
    };
    const answer = await ask(api.todaysOrders(account.subAccount, urgency, { onLeaving: noteTime }));
    if (answer.kind !== "ok") return answer;
    // The owner of a number is known for orders of today alone.
    if (istanbulDay(askedAtMs) !== istanbulDay(clock.nowMs()))
      return { kind: "unknown", text: "the day ended before AlgoLab answered" };
    const list = { rows: answer.value, askedAtMs, askedAtSteadyMs };
    const last = this.#lists.get(account.accountNumber);
    if (last !== undefined && last.askedAtSteadyMs > askedAtSteadyMs) return { kind: "ok", value: last };
    this.#noteNumbers(account.accountNumber, list);
    this.#lists.set(account.accountNumber, list);
    for (const row of list.rows) {
      await take(account, row);
      // A newer list arrived while a row was written.
      if (this.#lists.get(account.accountNumber) !== list) break;
    }
    return { kind: "ok", value: this.#lists.get(account.accountNumber) ?? list };
  }

  #noteNumbers(accountNumber: string, { rows, askedAtMs }: OrderList): void {
    const day = istanbulDay(askedAtMs);
    const known = this.#listed.get(accountNumber);
    const numbers = known?.day === day ? known.numbers : new Set<string>();
    // Right after midnight AlgoLab can still list the day before.
    for (const { atpref, timetransaction = askedAtMs } of rows) {
      if (istanbulDay(timetransaction) === day) numbers.add(atpref);
    }
    this.#listed.set(accountNumber, { day, numbers });
  }
}
