/**
 * What the lots of a group were bought for: the average price of the position, which the brokerage states while lots are
 * held. The last one of a running group is kept in this browser, as the brokerage no longer states it once all is sold.
 *
 * Invariant: a kept price is of a group that was running: no later buy of the symbol changes it.
 */
import { useEffect, useMemo, useState } from "preact/hooks";
import { say } from "../language/say.ts";
import { useSettled } from "../part/use-settled.ts";
import type { DashboardState } from "../state/dashboard-state.ts";
import { type Group, type Position, queryOf } from "../state/model.ts";
import { useStore } from "../state/store.ts";
import { whenInView } from "../state/visibility.ts";

/** A view that is only passed through asks the brokerage nothing. */
const FIRST_ASK_MS = 1_200;
const SETTLE_MS = 3_200;
const STORED = "group-averages";
/** The newest groups. */
const KEPT_MAX = 500;

/** The average price of a group's lots, or why it is not known. */
export type AveragePrice =
  | { readonly state: "known"; readonly price: number; readonly isOfNow: boolean }
  | { readonly state: "reading" }
  | { readonly state: "unknown"; readonly reason: string };

export interface Averages {
  /** Undefined: not read yet. */
  readonly positions: readonly Position[] | undefined;
  readonly fault: string | undefined;
}

/**
 * Reads the positions of the account when a group has been in view for a moment, and after changes at the brokerage.
 * `isInView`: a group is.
 */
export function useAverages(dashboard: DashboardState, groups: readonly Group[], isInView: boolean): Averages {
  const account = useStore(dashboard.account);
  const known = useStore(dashboard.portfolio.known);
  const changes = useSettled(useStore(dashboard.brokerageChanges), SETTLE_MS);
  const [fault, setFault] = useState<string | undefined>(undefined);
  useEffect(() => {
    if (account === undefined || !isInView) return;
    let isWanted = true;
    let stopWaiting = (): void => undefined;
    const waiting = { isWanted: () => isWanted, onFault: setFault };
    const ask = (): void =>
      void dashboard.ask(() => dashboard.portfolio.positions({ account, isWanted: () => isWanted }), waiting);
    const timer = setTimeout(() => {
      stopWaiting = whenInView(ask);
    }, FIRST_ASK_MS);
    return () => {
      isWanted = false;
      clearTimeout(timer);
      stopWaiting();
    };
  }, [dashboard, account, isInView, changes]);
  const positions = account === undefined ? undefined : known.get(queryOf(account));
  const accountNumber = account?.accountNumber;
  useEffect(() => {
    // For a moment after another account was chosen, the groups can be of the former one.
    const own = groups.filter(({ rows: [row] }) => row?.accountNumber === accountNumber);
    if (positions !== undefined) keepAverages(own, positions);
  }, [groups, positions, accountNumber]);
  return useMemo(() => ({ positions, fault }), [positions, fault]);
}

/** The average price that counts for a group: of an ended one the kept price, if this browser has it. */
export function averageOf(group: Group, { positions, fault }: Averages): AveragePrice {
  const kept = group.isActive ? undefined : readKept().get(keyOf(group));
  if (kept !== undefined) return { state: "known", price: kept, isOfNow: false };
  if (positions === undefined) {
    if (fault === undefined) return { state: "reading" };
    return { state: "unknown", reason: say("Profit is not shown: the positions cannot be read. {fault}", { fault }) };
  }
  const { symbol } = group;
  const position = positions.find((one) => one.symbol === symbol);
  if (position === undefined)
    return {
      state: "unknown",
      reason: say("Profit is not shown: the account holds no {symbol}, so its average price is not known.", { symbol }),
    };
  if (position.averagePrice <= 0)
    return {
      state: "unknown",
      reason: say("Profit is not shown: the brokerage states no average price of {symbol}.", { symbol }),
    };
  return { state: "known", price: position.averagePrice, isOfNow: true };
}

/** A group, also if its number is given again. */
function keyOf({ id, symbol, rows: [row] }: Group): string {
  return `${id} ${symbol} ${row?.createdDate ?? ""}`;
}

/** Keeps the average price of each running group whose position has one. */
function keepAverages(groups: readonly Group[], positions: readonly Position[]): void {
  const prices = new Map(positions.map(({ symbol, averagePrice }) => [symbol, averagePrice]));
  const kept = readKept();
  let isChanged = false;
  for (const group of groups.filter(({ isActive }) => isActive).slice(0, KEPT_MAX)) {
    const price = prices.get(group.symbol) ?? 0;
    const key = keyOf(group);
    if (price <= 0 || kept.get(key) === price) continue;
    // The newest entry is the last.
    kept.delete(key);
    kept.set(key, price);
    isChanged = true;
  }
  if (isChanged) localStorage.setItem(STORED, JSON.stringify([...kept].slice(-KEPT_MAX)));
}

/** Empty if what is stored is not a list of prices. */
function readKept(): Map<string, number> {
  const kept = new Map<string, number>();
  for (const entry of parsed(localStorage.getItem(STORED) ?? "[]")) {
    if (!Array.isArray(entry)) continue;
    const [key, price] = entry as readonly unknown[];
    if (typeof key === "string" && typeof price === "number" && price > 0) kept.set(key, price);
  }
  return kept;
}

function parsed(text: string): readonly unknown[] {
  try {
    const read: unknown = JSON.parse(text);
    return Array.isArray(read) ? read : [];
  } catch {
    return [];
  }
}
