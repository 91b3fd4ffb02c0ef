/**
 * Positions and the day's orders of an account, asked at the brokerage.
 *
 * Owns: waiting where another window or program of the user asked just before (behaviour 7.1). Does not own: when it is
 * asked.
 */
import type { Account, Order, Position } from "./model.ts";
import { RequestFailed, type Session } from "./session.ts";

const TOO_MANY = 429;

export interface Asking {
  readonly session: Session;
  readonly account: Account;
  /** False: the answer is not waited for any more. */
  readonly isWanted: () => boolean;
}

export function askPositions(asking: Asking): Promise<readonly Position[]> {
  return ask<Position>(asking, "positions", { includeOrders: false });
}

export function askDailyOrders(asking: Asking): Promise<readonly Order[]> {
  return ask<Order>(asking, "daily-orders", {});
}

async function ask<T>(asking: Asking, path: string, more: object): Promise<readonly T[]> {
  const { session, account, isWanted } = asking;
  const body = { brokerageCode: account.brokerageCode, accountNumber: account.accountNumber, ...more };
  try {
    return (await session.send<readonly T[]>("POST", `/api/v1/accounts/${path}`, body)).data;
  } catch (error) {
    if (!isWanted() || !(error instanceof RequestFailed) || error.status !== TOO_MANY) throw error;
    await pause((error.retryAfterSeconds ?? 1) * 1_000);
    return ask(asking, path, more);
  }
}

export const pause = (delayMs: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, delayMs));
