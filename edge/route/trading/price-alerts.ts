/** Price alerts of the caller (behaviour 29). */
import { z } from "zod";
import { COMMANDS, QUERIES } from "../../../src/contract/command.ts";
import {
  ALERT_LISTS,
  changeAlertBody,
  priceAlertBody,
  priceAlertSchema,
} from "../../../src/contract/trading/price-alert.ts";
import type { AddOperation } from "../../operation/operation.ts";
import { byId } from "../../operation/parameters.ts";

const tag = "Notifications";
const path = "/api/v1/price-alerts";

/** Adds the operations on price alerts. */
export function addPriceAlertOperations(add: AddOperation): void {
  add({
    operationId: "createPriceAlert",
    method: "POST",
    path,
    tag,
    summary: "Watch a price",
    description:
      "The event price.reached is sent with the first price that reaches it; then the alert is over. With `repeat` it is sent once for each time that the price comes from the other side. With `until` the alert ends then, with the event price.expired. If the last price has reached it already, the event is sent immediately. At most 100 at a time (409). Notification targets send the events to a webhook, Telegram or a mailbox.",
    scope: "trade",
    canConflict: true,
    body: priceAlertBody,
    data: priceAlertSchema,
    handle: async (call) =>
      call.answer(await call.command(COMMANDS.createPriceAlert, call.body), "The price alert was created"),
  });
  add({
    operationId: "listPriceAlerts",
    method: "GET",
    path,
    tag,
    summary: "List the price alerts",
    description:
      "By id. The alerts under watch, or with `status=ended` the alerts that were reached or expired in the last seven days.",
    scope: "read",
    query: z.object({
      status: z.enum(ALERT_LISTS).default("watching").meta({ description: "Which list" }),
    }),
    data: z.array(priceAlertSchema),
    handle: (call) => call.rows(QUERIES.listPriceAlerts, call.query, "The price alerts"),
  });
  add({
    operationId: "changePriceAlert",
    method: "PATCH",
    path: `${path}/:id`,
    tag,
    summary: "Change a price alert",
    description:
      "A field that is absent is unchanged; null takes note or until away. With another price or direction the alert is armed again; if the last price has reached it already, the event price.reached is sent immediately, and the `message` states this. An alert that was reached or expired cannot be changed (409).",
    scope: "trade",
    params: byId,
    body: changeAlertBody,
    data: priceAlertSchema,
    canConflict: true,
    handle: async (call) =>
      call.answer(
        await call.command(COMMANDS.changePriceAlert, { ...call.params, change: call.body }),
        "The price alert was changed",
      ),
  });
  add({
    operationId: "deletePriceAlert",
    method: "DELETE",
    path: `${path}/:id`,
    tag,
    summary: "Remove a price alert",
    description:
      "It is not sent any more. An alert that was reached or expired is a 404; it leaves the list by itself.",
    scope: "trade",
    params: byId,
    data: z.literal(true),
    handle: async (call) =>
      call.answer(await call.command(COMMANDS.deletePriceAlert, { id: call.params.id }), "The price alert was removed"),
  });
}
