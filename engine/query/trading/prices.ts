/**
 * The last prices that the feed accepted, by symbol. No user is needed: prices are nobody's.
 */

import { type LastPriceView, lastPricesBody } from "../../../src/contract/trading/price.ts";
import { formatTime } from "../../../src/domain/time.ts";
import { forAnyone } from "../context.ts";

/** In the order in which they are asked for; a symbol without a price has null for it. */
export const readLastPrices = forAnyone(lastPricesBody, async ({ prices, clock }, { symbols }) => {
  const nowMs = clock.nowMs();
  const data = symbols.map((symbol): LastPriceView => {
    const last = prices.last(symbol);
    if (last === undefined) return { symbol, price: null, time: null, ageMs: null };
    // A clock that was set back makes no price younger than now.
    const ageMs = Math.max(0, Math.round(nowMs - last.timeMs));
    return { symbol, price: last.price.value, time: formatTime(last.timeMs), ageMs };
  });
  return { ok: true, data };
});
