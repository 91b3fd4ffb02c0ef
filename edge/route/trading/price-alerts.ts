/** Price alerts of the caller (behaviour 29). */
import { z } from "zod";
import { COMMANDS, QUERIES } from "../../../src/contract/command.ts";
import { priceAlertBody, priceAlertSchema } from "../../../src/contract/trading/price-alert.ts";
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
      "The event price.reached is sent once, with the first price that reaches it; then the alert is gone. If the last price has reached it already, the event is sent immediately. At most 100 at a time (409). Notification targets send the event to a webhook, Telegram or a mailbox.",
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
    summary: "List the price alerts under watch",
    description: "By id. An alert whose price was reached is gone.",
    scope: "read",
    data: z.array(priceAlertSchema),
    handle: (call) => call.rows(QUERIES.listPriceAlerts, {}, "The price alerts"),
  });
  add({
    operationId: "deletePriceAlert",
    method: "DELETE",
    path: `${path}/:id`,
    tag,
    summary: "Remove a price alert",
    description: "It is not sent any more.",
    scope: "trade",
    params: byId,
    data: z.literal(true),
    handle: async (call) =>
      call.answer(await call.command(COMMANDS.deletePriceAlert, { id: call.params.id }), "The price alert was removed"),
  });
}
