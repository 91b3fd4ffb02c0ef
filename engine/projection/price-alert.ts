/** Price alerts as their owners see them: a row in one of two lists, and the events. */
import type { PriceAlertView } from "../../src/contract/trading/price-alert.ts";
import { priceToNumber } from "../../src/domain/price/price.ts";
import { isWatching, type PriceAlert } from "../../src/domain/price-alert.ts";
import { formatTime } from "../../src/domain/time.ts";
import { PRICE_EXPIRED } from "../../src/machine/price-alert.ts";
import type { ViewRow } from "../ports/actor.ts";
import { padded } from "../table/tables.ts";

/** Where the alerts of a user that are under watch are listed, by id. */
export function alertListPrefix(userId: number): string {
  return `price-alerts/${padded(userId)}/`;
}

/** Where the ended alerts of a user are listed, by id, for as long as they are kept. */
export function endedAlertListPrefix(userId: number): string {
  return `price-alerts-ended/${padded(userId)}/`;
}

/** The fields that rows of older versions lack: those alerts are armed, and end with the first price. */
export const LATER_FIELDS = {
  ...{ status: "watching", repeat: false, until: null, armed: true, reachedCount: 0 },
  ...{ reachedDate: null, reachedPrice: null, endedDate: null },
} satisfies Partial<PriceAlertView>;

/** The stored row of an alert. */
export function alertViews(alert: PriceAlert): readonly ViewRow[] {
  if (alert.isOver) return [];
  const prefix = isWatching(alert) ? alertListPrefix(alert.userId) : endedAlertListPrefix(alert.userId);
  return [{ key: prefix + padded(alert.alertId), json: JSON.stringify(alertView(alert)) }];
}

/** An alert as it is shown. */
export function alertView(alert: PriceAlert): PriceAlertView {
  const { alertId, symbol, side, price, note, createdAtMs, untilMs, reached, ended } = alert;
  return {
    id: alertId,
    symbol,
    direction: side === "above" ? "atOrAbove" : "atOrBelow",
    price: priceToNumber(price),
    note,
    createdDate: formatTime(createdAtMs),
    status: ended?.type ?? "watching",
    repeat: alert.repeats === true,
    until: untilMs === undefined ? null : formatTime(untilMs),
    armed: isWatching(alert) && alert.isAway !== true,
    reachedCount: reached?.count ?? 0,
    reachedDate: reached === undefined ? null : formatTime(reached.timeMs),
    reachedPrice: reached?.price ?? null,
    endedDate: ended === undefined ? null : formatTime(ended.timeMs),
  };
}

/** The payload of an event of an alert. */
export function alertEvent(alert: PriceAlert, event: string, data: Readonly<Record<string, unknown>>): object {
  const { id: alertId, symbol, direction, price, note, repeat, until, reachedCount } = alertView(alert);
  const named = { alertId, symbol, direction, price, note };
  return event === PRICE_EXPIRED ? { ...named, reachedCount, until } : { ...named, ...data, repeat };
}
