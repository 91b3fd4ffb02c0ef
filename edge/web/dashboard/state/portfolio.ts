/**
 * Positions, money and the day's orders of an account, asked at the brokerage.
 *
 * Owns: the pace, and the positions that were last answered. A user may ask for an account's portfolio once a second
 * (behaviour 7.1), whichever view asks. Does not own: when it is asked.
 *
 * Invariant: of an account one question at a time, and none within the second after another of this page. A question
 * that came too soon after one of another window or program of the user is asked again.
 */
import { type Account, type Balance, type LedgerRow, type Order, type Position, queryOf } from "./model.ts";
import { RequestFailed, type Session } from "./session.ts";
import { Store } from "./store.ts";

/** The answer to a question that the brokerage does not support. */
const REFUSED = 400;
const TOO_MANY = 429;
const ASK_EVERY_MS = 1_100;

export interface Asking {
  readonly account: Account;
  /** False: the answer is not waited for any more. */
  readonly isWanted: () => boolean;
}

export class Portfolio {
  readonly #session: Session;
  /** By account, when the next question may be asked. */
  readonly #free = new Map<string, Promise<unknown>>();

  /** By account (`queryOf`): its positions as they were last answered. */
  readonly known = new Store<ReadonlyMap<string, readonly Position[]>>(new Map());

  constructor(session: Session) {
    this.#session = session;
  }

  /** Undefined if the answer is not wanted any more when its turn comes. */
  positions(asking: Asking): Promise<readonly Position[] | undefined> {
    return this.#inTurn(asking.account, async () => {
      const found = await this.#ask<Position>(asking, "positions", { includeOrders: false });
      if (found !== undefined) this.known.update((known) => new Map(known).set(queryOf(asking.account), found));
      return found;
    });
  }

  /** Null: the brokerage does not state the money of an account. */
  balance(asking: Asking): Promise<Balance | null | undefined> {
    return this.#inTurn(asking.account, () =>
      this.#patiently(asking, () =>
        this.#session.get<Balance>(`/api/v1/accounts/balance?${queryOf(asking.account)}`).catch(nullIfRefused),
      ),
    );
  }

  dailyOrders(asking: Asking): Promise<readonly Order[] | undefined> {
    return this.#inTurn(asking.account, () => this.#ask<Order>(asking, "daily-orders", {}));
  }

  ledger(asking: Asking): Promise<readonly LedgerRow[] | undefined> {
    return this.#inTurn(asking.account, () =>
      this.#patiently(asking, () =>
        this.#session.get<readonly LedgerRow[]>(`/api/v1/accounts/sell-ledger?${queryOf(asking.account)}`),
      ),
    );
  }

  #inTurn<T>(account: Account, ask: () => Promise<T>): Promise<T> {
    const key = queryOf(account);
    const answer = (this.#free.get(key) ?? Promise.resolve()).then(ask);
    const wasAsked = answer.then(
      (found) => found !== undefined,
      () => true,
    );
    this.#free.set(
      key,
      wasAsked.then((isAsked) => (isAsked ? pause(ASK_EVERY_MS) : undefined)),
    );
    return answer;
  }

  #ask<T>(asking: Asking, path: string, more: object): Promise<readonly T[] | undefined> {
    const { brokerageCode, accountNumber } = asking.account;
    const body = { brokerageCode, accountNumber, ...more };
    return this.#patiently(
      asking,
      async () => (await this.#session.send<readonly T[]>("POST", `/api/v1/accounts/${path}`, body)).data,
    );
  }

  /** Sends again what came too soon after another request of the user. */
  async #patiently<T>(asking: Asking, send: () => Promise<T>): Promise<T | undefined> {
    if (!asking.isWanted()) return undefined;
    try {
      return await send();
    } catch (error) {
      if (!asking.isWanted() || !(error instanceof RequestFailed) || error.status !== TOO_MANY) throw error;
      await pause((error.retryAfterSeconds ?? 1) * 1_000);
      return this.#patiently(asking, send);
    }
  }
}

function nullIfRefused(error: unknown): null {
  if (error instanceof RequestFailed && error.status === REFUSED) return null;
  throw error;
}

const pause = (delayMs: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, delayMs));
