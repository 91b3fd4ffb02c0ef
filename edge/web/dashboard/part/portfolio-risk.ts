/**
 * What an account loses if all its stop-losses fire. Amounts are in units of the account's currency.
 *
 * Invariant: a position without a price is named, and not counted.
 */
import { protectedLots } from "../group/row-worth.ts";
import { ACTIVE, type Group, type Position, STOP_LOSS } from "../state/model.ts";
import { marketValueOf } from "./worth.ts";

interface StopRisk {
  /** The value of the protected lots at their stop-losses, less at the last prices; undefined: none is counted. */
  readonly change: number | undefined;
  /** How much of the value of all positions has a stop-loss, from 0 to 1; undefined: nothing has a value. */
  readonly share: number | undefined;
  /** Protected positions that are not counted, as they have no price. */
  readonly missing: readonly Position[];
}

/** `groups`: of the account. A stop-loss protects no more lots than are held. */
export function riskOf(positions: readonly Position[], groups: readonly Group[]): StopRisk {
  const missing: Position[] = [];
  let [change, counted, all] = [0, 0, 0];
  let isProtected = false;
  for (const position of positions) {
    const { symbol, quantity, lastPrice } = position;
    all += marketValueOf(position) ?? 0;
    let left = quantity;
    for (const { rows } of groups.filter((group) => group.symbol === symbol)) {
      const stop = rows.find(({ orderType, status }) => orderType === STOP_LOSS && status === ACTIVE);
      const lots = Math.max(0, Math.min(left, protectedLots(rows)));
      if (stop === undefined || lots === 0) continue;
      left -= lots;
      if (lastPrice === null) continue;
      isProtected = true;
      change += lots * (stop.price - lastPrice);
      counted += lots * lastPrice;
    }
    if (lastPrice === null && left < quantity) missing.push(position);
  }
  return { change: isProtected ? change : undefined, share: all > 0 ? counted / all : undefined, missing };
}
