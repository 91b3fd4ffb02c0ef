/** The user's accounts, put together of several answers. */
import { type Account, queryOf } from "./model.ts";

/**
 * The accounts after an answer. A brokerage that cannot be asked is left out of an answer: its accounts stay. The list
 * before is returned if nothing changed.
 */
export function mergeAccounts(before: readonly Account[], answer: readonly Account[]): readonly Account[] {
  const answered = new Set(answer.map(({ brokerageCode }) => brokerageCode));
  const merged = [...answer, ...before.filter(({ brokerageCode }) => !answered.has(brokerageCode))];
  return JSON.stringify(merged) === JSON.stringify(before) ? before : merged;
}

/** The index of an account in a list; -1 if it is not in it. */
export function placeOf(accounts: readonly Account[], account: Account | undefined): number {
  return account === undefined ? -1 : accounts.findIndex((one) => queryOf(one) === queryOf(account));
}
