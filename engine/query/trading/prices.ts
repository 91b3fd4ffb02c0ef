/**
 * The last prices that the feed accepted, by symbol. No user is needed: prices belong to no user.
 */

import { type LastPriceView, lastPricesBody } from "../../../src/contract/trading/price.ts";
import { TICK_AHEAD_MS_MAX } from "../../../src/domain/price/tick-time.ts";
import { formatTime } from "../../../src/domain/time.ts";
import { forAnyone } from "../context.ts";

/** In the order in which they are asked for; a symbol without a price has null for it. */
export const readLastPrices = forAnyone(lastPricesBody, async ({ prices, clock }, { symbols }) => {
  const nowMs = clock.nowMs();
  const data = symbols.map((symbol): LastPriceView => {
    const last = prices.last(symbol);
    if (last === undefined) return { symbol, price: null, time: null, ageMs: null };
    const ageMs = nowMs - last.timeMs;
    // If a clock was set back after it dated the price, the age is unknown: the price is not new.
    const knownAgeMs = ageMs < -TICK_AHEAD_MS_MAX ? null : Math.max(0, Math.round(ageMs));
    return { symbol, price: last.price.value, time: formatTime(last.timeMs), ageMs: knownAgeMs };
  });
  return { ok: true, data };
});
