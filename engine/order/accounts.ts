/**
 * A user's accounts, as the brokerages report them.
 *
 * Owns: which account a request means, cached for a minute. Does not own: logging in, positions, orders.
 *
 * Invariant: an account is used for a user only after the brokerage has confirmed that it belongs to this user.
 */
import type { AccountRecord } from "../../src/contract/trading/order.ts";
import { accept, type Refusal, type Result, refuse } from "../../src/domain/refusal.ts";
import { LruCache } from "../../src/runtime/lru-cache.ts";
import type { Clock } from "../../src/runtime/ports.ts";
import type { Accounts, Brokerage, Brokerages } from "../ports/brokerage.ts";

const FRESH_MS = 60_000;
const USERS_MAX = 100_000;

interface Known {
  readonly accounts: readonly AccountRecord[];
  readonly atMs: number;
}

export class AccountDirectory implements Accounts {
  readonly #brokerages: Brokerages;
  readonly #clock: Clock;
  readonly #known = new LruCache<string, Known>(USERS_MAX);
  readonly #asking = new Map<string, Promise<Result<readonly AccountRecord[]>>>();

  constructor(brokerages: Brokerages, clock: Clock) {
    this.#brokerages = brokerages;
    this.#clock = clock;
  }

  async resolve(userId: number, brokerageCode: string, accountNumber: string): Promise<Result<AccountRecord>> {
    const brokerage = this.#brokerages.find(brokerageCode);
    if (brokerage === undefined) return refuse("INVALID", "brokerageCode is not known");
    const key = `${userId}/${brokerageCode}`;
    const known = this.#known.get(key);
    const held = known === undefined ? undefined : named(known.accounts, accountNumber);
    if (held !== undefined && known !== undefined && this.#clock.nowMs() - known.atMs < FRESH_MS) return accept(held);
    const answer = await this.#ask(key, userId, brokerage);
    if (!answer.ok) return held !== undefined && answer.code === "UNAVAILABLE" ? accept(held) : answer;
    const found = named(answer.value, accountNumber);
    return found === undefined ? refuse("FORBIDDEN", "accountNumber is not one of your accounts") : accept(found);
  }

  /** Forgets the accounts of a user at a brokerage, e.g. after a login. */
  forget(userId: number, brokerageCode: string): void {
    this.#known.delete(`${userId}/${brokerageCode}`);
  }

  #ask(key: string, userId: number, brokerage: Brokerage): Promise<Result<readonly AccountRecord[]>> {
    const asking = this.#asking.get(key);
    if (asking !== undefined) return asking;
    const asked = this.#askNow(key, userId, brokerage).finally(() => this.#asking.delete(key));
    this.#asking.set(key, asked);
    return asked;
  }

  async #askNow(key: string, userId: number, brokerage: Brokerage): Promise<Result<readonly AccountRecord[]>> {
    const answer = await brokerage.accounts({ userId });
    if (!answer.ok) return brokerRefusal(answer.code);
    this.#known.set(key, { accounts: answer.data, atMs: this.#clock.nowMs() });
    return accept(answer.data);
  }
}

/** The account that `name` names: its `accountNumber`, or its `number` at the brokerage (behaviour 1.8). */
function named(accounts: readonly AccountRecord[], name: string): AccountRecord | undefined {
  return (
    accounts.find((account) => account.accountNumber === name) ?? accounts.find((account) => account.number === name)
  );
}

/** Translates a brokerage's failure to answer a question for the client. */
function brokerRefusal(code: string): Refusal {
  if (code === "UNAUTHORIZED") return refuse("FORBIDDEN", "log in to the brokerage first");
  if (code === "NOT_FOUND") return refuse("NOT_FOUND", "the brokerage does not know this");
  if (code === "REJECTED") return refuse("INVALID", "the brokerage refused this");
  return refuse("UNAVAILABLE", "the brokerage cannot be reached now");
}
