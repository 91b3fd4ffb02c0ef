/** Makes and removes price alerts (behaviour 29). */
import { deleteAlertBody, priceAlertBody } from "../../../src/contract/trading/price-alert.ts";
import { parsePrice } from "../../../src/domain/price/price.ts";
import { PRICE_ALERTS_MAX, type PriceAlert } from "../../../src/domain/price-alert.ts";
import { refuse } from "../../../src/domain/refusal.ts";
import { alertClaim } from "../../../src/machine/price-alert.ts";
import { alertView } from "../../projection/price-alert.ts";
import {
  type CommandContext,
  checked,
  refuseUnlessTraded,
  refuseWhileFollowing,
  waitsForOperator,
} from "../context.ts";

const REACHED = "The price is reached already: the alert was sent";

/** Makes an alert. If the last price has reached it already, its owner is notified immediately (behaviour 29.1). */
export const createPriceAlert = checked({
  schema: priceAlertBody,
  handle: async (context, { symbol, direction, price: value, note = null }, turn) => {
    const notTraded = refuseUnlessTraded(context, symbol);
    if (notTraded !== undefined) return notTraded;
    const price = parsePrice(value, "price");
    if (!price.ok) return price;
    return turn.decide(() => {
      const behind = refuseWhileFollowing(context, symbol);
      if (behind !== undefined) return behind;
      const { userId } = turn;
      const slot = freeSlotOf(context, userId);
      if (slot === undefined)
        return refuse("CONFLICT", `at most ${PRICE_ALERTS_MAX} price alerts of a user can be under watch`);
      const [alertId = 0] = context.journal.allocateIds(1);
      const createdAtMs = context.clock.nowMs();
      const alert: PriceAlert = {
        ...{ version: 1, alertId, userId, symbol, price: price.value, note, slot, createdAtMs },
        ...{ side: direction === "atOrAbove" ? "above" : "below", armedSinceMs: createdAtMs },
        ...{ isOver: false, countedActions: [] },
      };
      const isReached = context.actors.create("priceAlert", alertId, alert);
      return { ok: true, data: alertView(alert), ...(isReached ? { message: REACHED } : {}) };
    });
  },
});

function freeSlotOf({ actors }: CommandContext, userId: number): number | undefined {
  for (let slot = 0; slot < PRICE_ALERTS_MAX; slot += 1) {
    if (actors.holderOf(alertClaim({ userId, slot })) === undefined) return slot;
  }
  return undefined;
}

/** Removes an alert of the caller. */
export const deletePriceAlert = checked({
  schema: deleteAlertBody,
  handle: async (context, { id }, turn) =>
    turn.decide(() => {
      const found = context.actors.find("priceAlert", id);
      const alert = found?.context;
      if (alert?.userId !== turn.userId || alert.isOver) return refuse("NOT_FOUND", `price alert ${id} was not found`);
      if (context.actors.isQuarantined(id)) return waitsForOperator("the price alert");
      context.actors.deliver("priceAlert", id, { type: "remove" });
      return { ok: true, data: true };
    }),
});
