/** Makes, changes and removes price alerts (behaviour 29). */
import { changeAlertCommand, deleteAlertBody, priceAlertBody } from "../../../src/contract/trading/price-alert.ts";
import { parsePrice } from "../../../src/domain/price/price.ts";
import { isWatching, PRICE_ALERTS_MAX, type PriceAlert, passAlertDeadline } from "../../../src/domain/price-alert.ts";
import { accept, type Result, refuse } from "../../../src/domain/refusal.ts";
import { parseDeadline } from "../../../src/domain/time-zone.ts";
import { alertClaim, endedAlertClaim } from "../../../src/machine/price-alert.ts";
import { alertView } from "../../projection/price-alert.ts";
import {
  type CommandContext,
  checked,
  refuseUnlessTraded,
  refuseWhileFollowing,
  waitsForMissed,
  waitsForOperator,
} from "../context.ts";

const SIDES = { atOrAbove: "above", atOrBelow: "below" } as const;
const REACHED = "The price is reached already: the alert was sent";
const REACHED_BY_CHANGE = "The price alert was changed; the price is reached already: the alert was sent";

/** Makes an alert. If the last price has reached it already, its owner is notified immediately (behaviour 29.1). */
export const createPriceAlert = checked({
  schema: priceAlertBody,
  handle: async (context, { symbol, direction, price: value, note = null, repeat, until = null }, turn) => {
    const notTraded = refuseUnlessTraded(context, symbol);
    if (notTraded !== undefined) return notTraded;
    const price = parsePrice(value, "price");
    if (!price.ok) return price;
    return turn.decide(() => {
      const behind = refuseWhileFollowing(context, symbol);
      if (behind !== undefined) return behind;
      const createdAtMs = context.clock.nowMs();
      const end = untilMsOf(context, symbol, until, createdAtMs);
      if (!end.ok) return end;
      const { userId } = turn;
      const free = freeSlotOf(context, userId);
      if (free === undefined)
        return refuse("CONFLICT", `at most ${PRICE_ALERTS_MAX} price alerts of a user can be under watch`);
      const { slot, ended } = free;
      if (ended !== undefined) context.actors.deliver("priceAlert", ended.alertId, { type: "remove" });
      const [alertId = 0] = context.journal.allocateIds(1);
      const alert: PriceAlert = {
        ...{ version: 1, alertId, userId, symbol, price: price.value, note, slot, createdAtMs },
        ...{ side: SIDES[direction], armedSinceMs: createdAtMs, isOver: false, countedActions: [] },
        ...{ ...(repeat === true && { repeats: true }), ...(end.value !== null && { untilMs: end.value }) },
      };
      const isReached = context.actors.create("priceAlert", alertId, alert);
      const made = ownedAlert(context, alertId, userId) ?? alert;
      return { ok: true, data: alertView(made), ...(isReached ? { message: REACHED } : {}) };
    });
  },
});

/** The end of an alert in epoch milliseconds; null: none. A date alone is the end of that day at the exchange. */
function untilMsOf(
  { symbols }: CommandContext,
  symbol: string,
  until: string | null,
  nowMs: number,
): Result<number | null> {
  if (until === null) return accept(null);
  const end = parseDeadline(until, "until", symbols.zoneOf(symbol));
  return !end.ok || end.value > nowMs ? end : refuse("INVALID", "until must be in the future");
}

/**
 * A place for a new alert: one without an ended alert, or the place of the alert that ended first, which the new one
 * replaces. Undefined: the user has the most alerts under watch.
 */
function freeSlotOf(
  { actors }: CommandContext,
  userId: number,
): { readonly slot: number; readonly ended?: PriceAlert } | undefined {
  let oldest: { readonly slot: number; readonly ended: PriceAlert } | undefined;
  for (let slot = 0; slot < PRICE_ALERTS_MAX; slot += 1) {
    if (actors.holderOf(alertClaim({ userId, slot })) !== undefined) continue;
    const endedId = actors.holderOf(endedAlertClaim({ userId, slot }));
    const ended = endedId === undefined ? undefined : actors.find("priceAlert", endedId)?.context;
    if (ended === undefined) return { slot };
    if (oldest === undefined || endedMsOf(ended) < endedMsOf(oldest.ended)) oldest = { slot, ended };
  }
  return oldest;
}

function endedMsOf({ ended }: PriceAlert): number {
  return ended?.timeMs ?? 0;
}

/**
 * Changes an alert of the caller. With another price or direction it is armed again, and if the last price has reached
 * that already, its owner is notified immediately (behaviour 29.4).
 */
export const changePriceAlert = checked({
  schema: changeAlertCommand,
  handle: async (context, { id, change }, turn) => {
    const { direction, note, repeat, until } = change;
    const price = change.price === undefined ? accept(undefined) : parsePrice(change.price, "price");
    if (!price.ok) return price;
    return turn.decide(() => {
      const { actors, clock } = context;
      const alert = ownedAlert(context, id, turn.userId);
      if (alert === undefined) return refuse("NOT_FOUND", `price alert ${id} was not found`);
      if (actors.isQuarantined(id)) return waitsForOperator("the price alert");
      if (alert.ended?.type === "reached")
        return refuse("CONFLICT", `price alert ${id} is over: its price was reached`);
      const { symbol } = alert;
      // A missed price may have reached it before it is changed, or its end have come.
      if (context.feed.isCatchingUp()) return waitsForMissed(`prices of ${symbol}`);
      const behind = refuseWhileFollowing(context, symbol);
      if (behind !== undefined) return behind;
      const timeMs = clock.nowMs();
      const isExpired = alert.ended !== undefined || passAlertDeadline(alert, timeMs) !== undefined;
      if (isExpired) return refuse("CONFLICT", `price alert ${id} is over: its time has passed`);
      const end = until === undefined ? undefined : untilMsOf(context, symbol, until, timeMs);
      if (end?.ok === false) return end;
      const changes = {
        ...(direction !== undefined && { side: SIDES[direction] }),
        ...(price.value !== undefined && { price: price.value }),
        ...(note !== undefined && { note }),
        ...(repeat !== undefined && { repeats: repeat }),
        ...(end !== undefined && { untilMs: end.value }),
      };
      actors.deliver("priceAlert", id, { type: "changeTerms", change: changes, timeMs });
      const after = ownedAlert(context, id, turn.userId) ?? alert;
      const isReached = after.reached?.count !== alert.reached?.count;
      return { ok: true, data: alertView(after), ...(isReached ? { message: REACHED_BY_CHANGE } : {}) };
    });
  },
});

/** An alert of a user, under watch or ended; undefined if the user has no such alert. */
function ownedAlert({ actors }: CommandContext, id: number, userId: number): PriceAlert | undefined {
  const alert = actors.find("priceAlert", id)?.context;
  return alert?.userId !== userId || alert.isOver ? undefined : alert;
}

/** Removes an alert of the caller that is under watch. */
export const deletePriceAlert = checked({
  schema: deleteAlertBody,
  handle: async (context, { id }, turn) =>
    turn.decide(() => {
      const alert = ownedAlert(context, id, turn.userId);
      if (alert === undefined || !isWatching(alert)) return refuse("NOT_FOUND", `price alert ${id} was not found`);
      if (context.actors.isQuarantined(id)) return waitsForOperator("the price alert");
      context.actors.deliver("priceAlert", id, { type: "remove" });
      return { ok: true, data: true };
    }),
});
