/**
 * A symbol that its exchange renamed: what of an order, a group, a setup or a bot names it (behaviour 30).
 *
 * Owns: former names and their present ones, orders under either name. Does not own: the effect on a kind of actor
 * (`oco/rename-group.ts`, `setup-rename.ts`, `bot/rename-bot.ts`), which symbols were renamed (the shared partition).
 *
 * Invariants:
 * 1. A name leads to a present name in one step: a later rename changes where the names before it lead.
 * 2. Prices, quantities and order names do not change.
 */
import type { Execution } from "../order/execution.ts";
import type { OrderNews } from "../order/order-news.ts";
import { type Refusal, refuse } from "../refusal.ts";

/** A name of a symbol, and the name that it has now. */
export interface Renaming {
  readonly from: string;
  readonly to: string;
}

/** An actor with symbols; absent: none of them was renamed since it was made. */
export interface Renamed {
  readonly renamed?: readonly Renaming[];
}

/** The former names with one more. A symbol that gets its former name back has no former name of that text. */
export function withRenaming(before: readonly Renaming[] | undefined, { from, to }: Renaming): readonly Renaming[] {
  const others = (before ?? []).filter((one) => one.from !== from && one.from !== to);
  return [...others.map((one) => (one.to === from ? { ...one, to } : one)), { from, to }];
}

/** The present name of a symbol. */
export function presentName(renamed: readonly Renaming[] | undefined, symbol: string): string {
  return renamed?.find(({ from }) => from === symbol)?.to ?? symbol;
}

/** News of an order as under the present name of its symbol: the brokerage may report it under either (behaviour 30.4). */
export function underPresentName<N extends OrderNews>(news: N, { renamed }: Renamed): N {
  if (renamed === undefined || news.type !== "orderUpdated") return news;
  const symbol = presentName(renamed, news.record.symbol);
  return symbol === news.record.symbol ? news : { ...news, record: { ...news.record, symbol } };
}

/** An order under the new name. */
export function renameExecution(execution: Execution, { from, to }: Renaming): Execution {
  return execution.symbol === from && from !== to ? { ...execution, symbol: to } : execution;
}

/** A rename as text, for owners. */
export function renamingText({ from, to }: Renaming): string {
  return `${from} was renamed to ${to}: its levels are watched under the new name`;
}

/** The refusal of new levels under a former name (behaviour 30.3). */
export function refuseFormerName({ from, to }: Renaming): Refusal {
  return refuse("INVALID", `symbol ${from} was renamed: it is ${to} now`);
}

/** The refusal of new levels until all levels of the symbol are under the new name (behaviour 30.3). */
export function refuseWhileRenamed(symbol: string): Refusal {
  return refuse("UNAVAILABLE", `the levels of ${symbol} follow a change of its name now; retry in a moment`);
}
