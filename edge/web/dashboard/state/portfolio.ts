/**
 * Positions and the day's orders of an account, asked at the brokerage.
 *
 * Owns: the pace. A user may ask for an account's portfolio once a second (behaviour 7.1), whichever view asks. Does not
 * own: when it is asked.
 *
 * Invariant: of an account one question at a time, and none within the second after another of this page. One that another window or
 * program of the user came before is asked again.
 */
import { type Account, type Order, type Position, queryOf } from "./model.ts";
import { RequestFailed, type Session } from "./session.ts";

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

  constructor(session: Session) {
    this.#session = session;
  }

  /** Gives nothing where it is not waited for any more when its turn comes. */
  positions(asking: Asking): Promise<readonly Position[] | undefined> {
    return this.#inTurn(asking.account, () => this.#ask<Position>(asking, "positions", { includeOrders: false }));
  }

  dailyOrders(asking: Asking): Promise<readonly Order[] | undefined> {
    return this.#inTurn(asking.account, () => this.#ask<Order>(asking, "daily-orders", {}));
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

  async #ask<T>(asking: Asking, path: string, more: object): Promise<readonly T[] | undefined> {
    const { account, isWanted } = asking;
    if (!isWanted()) return undefined;
    const body = { brokerageCode: account.brokerageCode, accountNumber: account.accountNumber, ...more };
    try {
      return (await this.#session.send<readonly T[]>("POST", `/api/v1/accounts/${path}`, body)).data;
    } catch (error) {
      if (!isWanted() || !(error instanceof RequestFailed) || error.status !== TOO_MANY) throw error;
      await pause((error.retryAfterSeconds ?? 1) * 1_000);
      return this.#ask(asking, path, more);
    }
  }
}

const pause = (delayMs: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, delayMs));
