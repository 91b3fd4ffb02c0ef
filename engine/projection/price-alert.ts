/** Price alerts as their owners see them: a row while one is under watch, and the event of a reached price. */
import type { PriceAlertView } from "../../src/contract/trading/price-alert.ts";
import { priceToNumber } from "../../src/domain/price/price.ts";
import type { PriceAlert } from "../../src/domain/price-alert.ts";
import { formatTime } from "../../src/domain/time.ts";
import type { ViewRow } from "../ports/actor.ts";
import { padded } from "../table/tables.ts";

/** Where the alerts of a user are listed, by id. */
export function alertListPrefix(userId: number): string {
  return `price-alerts/${padded(userId)}/`;
}

/** The stored row of an alert. */
export function alertViews(alert: PriceAlert): readonly ViewRow[] {
  if (alert.isOver) return [];
  return [{ key: alertListPrefix(alert.userId) + padded(alert.alertId), json: JSON.stringify(alertView(alert)) }];
}

/** An alert as it is shown. */
export function alertView({ alertId, symbol, side, price, note, createdAtMs }: PriceAlert): PriceAlertView {
  const direction = side === "above" ? "atOrAbove" : "atOrBelow";
  return { id: alertId, symbol, direction, price: priceToNumber(price), note, createdDate: formatTime(createdAtMs) };
}

/** The payload of the event of a reached price. */
export function alertEvent(alert: PriceAlert, data: Readonly<Record<string, unknown>>): object {
  const { id: alertId, symbol, direction, price, note } = alertView(alert);
  return { alertId, symbol, direction, price, note, ...data };
}
